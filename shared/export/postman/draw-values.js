/** Writes a time by a pattern; the tokens are those of Day.js, [text] stands for itself. */
function formatTime(time, pattern, isLocal) {
  const offset = isLocal ? -time.getTimezoneOffset() : 0;
  const shown = new Date(time.getTime() + offset * 60000);
  const pad = (value, width) => String(value).padStart(width, '0');
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const months =
    'January February March April May June July August September October November December'.split(' ');
  const day = days[shown.getUTCDay()];
  const month = months[shown.getUTCMonth()];
  const hour = shown.getUTCHours();
  const zone = (colon) =>
    `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60), 2)}${colon}${pad(Math.abs(offset) % 60, 2)}`;
  const tokens = {
    YYYY: pad(shown.getUTCFullYear(), 4),
    YY: pad(shown.getUTCFullYear() % 100, 2),
    MMMM: month,
    MMM: month.slice(0, 3),
    MM: pad(shown.getUTCMonth() + 1, 2),
    M: shown.getUTCMonth() + 1,
    DD: pad(shown.getUTCDate(), 2),
    D: shown.getUTCDate(),
    dddd: day,
    ddd: day.slice(0, 3),
    dd: day.slice(0, 2),
    d: shown.getUTCDay(),
    HH: pad(hour, 2),
    H: hour,
    hh: pad(hour % 12 || 12, 2),
    h: hour % 12 || 12,
    A: hour < 12 ? 'AM' : 'PM',
    a: hour < 12 ? 'am' : 'pm',
    mm: pad(shown.getUTCMinutes(), 2),
    m: shown.getUTCMinutes(),
    ss: pad(shown.getUTCSeconds(), 2),
    s: shown.getUTCSeconds(),
    SSS: pad(shown.getUTCMilliseconds(), 3),
    ZZ: zone(''),
    Z: zone(':'),
  };
  const found = /\[([^\]]+)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|dd|d|HH|H|hh|h|A|a|mm|m|ss|s|SSS|ZZ|Z/g;
  return pattern.replace(found, (token, literal) =>
    literal === undefined ? String(tokens[token]) : literal,
  );
}

/** Moves a time; days and months go by the calendar, of UTC or of the clock here, all else by its length. */
function shiftTime(time, count, unit, isLocal) {
  const lengths = { ms: 1, s: 1000, m: 60000, h: 3600000 };
  if (lengths[unit] !== undefined) return new Date(time.getTime() + count * lengths[unit]);
  const kind = isLocal ? '' : 'UTC';
  const moved = new Date(time.getTime());
  const day = time[`get${kind}Date`]();
  if (unit === 'd' || unit === 'w') {
    moved[`set${kind}Date`](day + count * { d: 1, w: 7 }[unit]);
    return moved;
  }
  const year = time[`get${kind}FullYear`]();
  const month = time[`get${kind}Month`]() + count * { M: 1, Q: 3, y: 12 }[unit];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  moved[`set${kind}FullYear`](year, month, Math.min(day, last));
  return moved;
}

/** Draws one value by its recipe. */
function drawValue(recipe, now) {
  const time = recipe.unit === undefined ? now : shiftTime(now, recipe.count, recipe.unit, recipe.isLocal);
  const pick = (from, to) => from + Math.random() * (to - from);
  switch (recipe.kind) {
    case 'time':
      return formatTime(time, recipe.pattern, recipe.isLocal);
    case 'epoch':
      return String(Math.floor(time.getTime() / 1000));
    case 'integer':
      return String(Math.floor(pick(recipe.from, recipe.to)));
    case 'float':
      return String(pick(recipe.from, recipe.to));
    default: {
      const { alphabet, length } = recipe;
      return Array.from({ length }, () => alphabet[Math.floor(pick(0, alphabet.length))]).join('');
    }
  }
}
