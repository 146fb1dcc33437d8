import { describe, expect, it } from 'vitest';
import { readDrawRecipe, type DrawRecipe } from './draw-recipe';

const time = (pattern: string, isLocal: boolean, count?: number, unit?: string): DrawRecipe =>
  count === undefined
    ? { kind: 'time', pattern, isLocal }
    : { kind: 'time', pattern, isLocal, count, unit: unit! };
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();

describe('how the value of an expression is drawn', () => {
  it.each<[expression: string, recipe: DrawRecipe | null]>([
    ["$datetime 'YYYY-MM-DD'", time('YYYY-MM-DD', false)],
    ['$datetime "YYYY" -1 d', time('YYYY', false, -1, 'd')],
    ["$localDatetime 'HH'  +3   ms ", time('HH', true, 3, 'ms')],
    ["$localDatetime ''", time('', true)],
    ['$datetime rfc1123', time('ddd, DD MMM YYYY HH:mm:ss [GMT]', false)],
    ['$localDatetime rfc1123 123456789 y', time('ddd, DD MMM YYYY HH:mm:ss ZZ', true, 123_456_789, 'y')],
    ['$datetime iso8601 2w', time('YYYY-MM-DD[T]HH:mm:ss.SSS[Z]', false, 2, 'w')],
    ['$localDatetime iso8601', time('YYYY-MM-DD[T]HH:mm:ssZ', true)],
    ['$isoTimestamp 2 M', time('YYYY-MM-DD[T]HH:mm:ss.SSS[Z]', false, 2, 'M')],
    ['$timestamp', { kind: 'epoch' }],
    ['$timestamp -10 Q', { kind: 'epoch', count: -10, unit: 'Q' }],
    ['$randomInt 5 10', { kind: 'integer', from: 5, to: 10 }],
    ['$random.integer(-5, 10)', { kind: 'integer', from: -5, to: 10 }],
    ['$random.float', { kind: 'float', from: 0, to: 1000 }],
    ['$random.float( -1.25 ,22.75 )', { kind: 'float', from: -1.25, to: 22.75 }],
    ['$random.alphabetic(30)', { kind: 'text', alphabet: lower + upper, length: 30 }],
    ['$random.alphanumeric 4', { kind: 'text', alphabet: `${lower}${upper}0123456789_`, length: 4 }],
    ['$random.hexadecimal( 1234 )', { kind: 'text', alphabet: '0123456789abcdef', length: 1234 }],
    ['$datetime', null],
    ['$datetime YYYY', null],
    ["$datetime x'YYYY'", null],
    ["$datetime 'YYYY' 1", null],
    ["$datetime 'YYYY' d", null],
    ["$datetime 'YYYY' 1 d x", null],
    ["$datetime 'YYYY' x 1 d", null],
    ["$datetime 'YYYY' 1234567890 d", null],
    ['$timestamp soon', null],
    ['$randomInt 5', null],
    ['$randomInt 5 10 15', null],
    ['$randomInt x 5 10', null],
    ['$randomInt 5. 10', null],
    ['$randomInt 5 1234567890123456', null],
    ['$random.alphabetic', null],
    ['$random.alphabetic(12345)', null],
    ['$random.alphabetic(x1)', null],
    ['$random.alphabetic(1) x', null],
    ['$random.other(1)', null],
    ['x$timestamp', null],
    ['$constructor 1', null],
    ['amount', null],
  ])('%s', (expression, recipe) => {
    expect(readDrawRecipe(expression)).toEqual(recipe);
  });
});
