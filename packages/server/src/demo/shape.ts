const hourMs = 3_600_000;

/** How many hours the company has been using the server. */
export const hoursOfHistory = 30 * 24;

/** Numbers from 0 to 1 that are the same each time, so that every demo looks alike. They decide on no secret. */
export function evenNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    // A linear congruential generator, with the numbers of C11.
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 0x1000000;
  };
}

/** How busy people are in an hour of a day (UTC): 1 at noon on a weekday, nearly 0 at night. @param hour since the epoch */
export function busyness(hour: number): number {
  const ofDay = hour % 24;
  // The epoch began on a Thursday.
  const isWeekend = (Math.floor(hour / 24) + 3) % 7 >= 5;
  const byDay = Math.max(0.03, Math.sin(((ofDay - 5) / 17) * Math.PI));
  return ofDay < 5 || ofDay >= 22 ? 0.03 : byDay * (isWeekend ? 0.55 : 1);
}

/** Epoch milliseconds of a time within the working day, so many days ago, and never later than now. */
export function onDay(daysAgo: number, now: number, next: () => number): number {
  const day = Math.floor(now / (24 * hourMs)) - daysAgo;
  const time = (day * 24 + 7 + Math.floor(next() * 13)) * hourMs + Math.floor(next() * hourMs);
  return time < now ? time : now - Math.floor((1 + 50 * next()) * 60_000);
}
