/** What an agent is given to come to rest after a load, and to give its memory back: milliseconds. */
export const restMs = (isQuick: boolean): number => (isQuick ? 1_000 : 45_000);
