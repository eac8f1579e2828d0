import { subscribe as subscribeTo, unsubscribe } from 'node:diagnostics_channel';

type Listener = Parameters<typeof subscribeTo>[1];

const subscribed: (readonly [string, Listener])[] = [];

/** Stands in for that of Node.js in examples, so that they can be ended. */
export function subscribe(name: string, listener: Listener): void {
  subscribed.push([name, listener]);
  subscribeTo(name, listener);
}

export function unsubscribeAll(): void {
  for (const [name, listener] of subscribed.splice(0)) unsubscribe(name, listener);
}
