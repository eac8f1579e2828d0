const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const;

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** A time as people read it. @param time epoch milliseconds */
export function timeText(time: number): string {
  return times.format(time);
}

/** How far away a time is: "in 3 hours", "2 days ago". */
export function fromNow(time: number, now: number): string {
  const distance = time - now;
  const [unit, length] = units.find(([, length]) => Math.abs(distance) >= length) ?? ['second', second];
  return relative.format(Math.trunc(distance / length), unit);
}

/** Seconds in the largest units that fit: `5400` is "1 hour 30 minutes". */
export function duration(seconds: number): string {
  if (seconds === 0) return '0 seconds';
  let left = seconds * 1000;
  const parts: string[] = [];
  for (const [unit, length] of units) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.slice(0, 2).join(' ');
}

interface Expiring {
  readonly expireDuration: number;
  readonly allowedImplicitGrant: boolean;
}

/** The lifetime of access tokens of a client. Tokens that are part of an address (implicit grant) always expire. */
export function lifetime(client: Expiring, implicitLifetime: number): string {
  const { expireDuration, allowedImplicitGrant } = client;
  if (expireDuration > 0) return duration(expireDuration);
  return allowedImplicitGrant ? `no expiry; implicit tokens: ${duration(implicitLifetime)}` : 'no expiry';
}
