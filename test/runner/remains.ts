// A file that leaves something behind changes the tests of the files after it, and fails them instead of itself.
import { setTimeout } from 'node:timers/promises';

/** What keeps the event loop going when a test has forgotten it, in the words of Node.js. */
const watchedResources = ['TCPServerWrap', 'Timeout', 'Immediate'];

/** Milliseconds until something that a file has ended must be gone. */
const patience = 5000;
const pause = 10;

/** What this process is like now. The function that is returned puts it back, and resolves with what had changed since. */
export function watchForRemains(): () => Promise<string[]> {
  const directory = process.cwd();
  const environment = { ...process.env };
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  const resources = resourceCounts();
  return async () => [
    ...putBackDirectory(directory),
    ...putBackEnvironment(environment),
    ...putBackGlobals(globals),
    ...(await openResources(resources)),
  ];
}

function putBackDirectory(directory: string): string[] {
  if (process.cwd() === directory) return [];
  process.chdir(directory);
  return ['the file has changed the working directory'];
}

function putBackEnvironment(before: NodeJS.ProcessEnv): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  const changed = [...names].filter((name) => process.env[name] !== before[name]);
  for (const name of changed) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  return changed.map((name) => `the file has changed the environment variable ${name}`);
}

/** Symbols and names with `__` are left out, because libraries share things under them. */
function putBackGlobals(before: Record<string, PropertyDescriptor>): string[] {
  const now: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(globalThis);
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const own = [...names].filter((name) => !name.startsWith('__'));
  const changed = own.filter((name) => !isSame(before[name], now[name]));
  for (const name of changed) {
    const { [name]: descriptor } = before;
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, descriptor);
  }
  return changed.map((name) => `the file has changed the global ${name}`);
}

function isSame(a: PropertyDescriptor | undefined, b: PropertyDescriptor | undefined): boolean {
  return Object.is(a?.value, b?.value) && a?.get === b?.get && a?.set === b?.set;
}

/** Servers and timers that are still open after a while. */
async function openResources(before: ReadonlyMap<string, number>): Promise<string[]> {
  const started = performance.now();
  let left = more(before);
  while (left.length > 0 && performance.now() - started < patience) {
    await setTimeout(pause);
    left = more(before);
  }
  return left.map((resource) => `the file has left open: ${resource}`);
}

function more(before: ReadonlyMap<string, number>): string[] {
  return [...resourceCounts()].flatMap(([name, count]) => {
    const added = count - (before.get(name) ?? 0);
    return added > 0 ? [`${added} × ${name}`] : [];
  });
}

function resourceCounts(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (watchedResources.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
