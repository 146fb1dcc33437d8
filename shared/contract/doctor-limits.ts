/** How long a search may take, milliseconds; no schema stands here: the window loads none. */
export const doctorLimits = { usualMs: 10_000, mostMs: 3_600_000 };
