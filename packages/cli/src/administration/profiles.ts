import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { shellCommand, shown, utf8Text } from '@watchword/protocol';
import * as v from 'valibot';
import type { Io } from '../command/io.ts';
import { UsageError } from '../command/usage-error.ts';

/** A login at a server, as it is stored. */
export interface Profile {
  /** Of the server. */
  readonly baseUrl: string;
  /** The name with which the user logged in there. */
  readonly user: string;
  readonly accessToken: string;
  /** Epoch milliseconds at which the access token expires. */
  readonly expires: number;
  readonly refreshToken: string;
}

const profileSchema = v.object({
  baseUrl: v.string(),
  user: v.string(),
  accessToken: v.string(),
  expires: v.number(),
  refreshToken: v.string(),
});

/** The profiles of the user who runs the command. Each is a file that only this user can read. */
export interface Profiles {
  /** By name. */
  list(): Promise<readonly string[]>;
  /** `undefined` if there is none. @throws UsageError for a file that others can read, or that is not a profile */
  read(name: string): Promise<Profile | undefined>;
  write(name: string, profile: Profile): Promise<void>;
  remove(name: string): Promise<void>;
  /** The name of the profile that commands use which name no server and no database. */
  defaultName(): Promise<string | undefined>;
  setDefault(name: string): Promise<void>;
  /** Does the work while no other process does any on the profile. @throws UsageError after a minute */
  locked<Value>(name: string, work: () => Promise<Value>): Promise<Value>;
}

export function profilesOf({ env }: Pick<Io, 'env'>): Profiles {
  const folder = configurationFolder(env);
  const directory = join(folder, 'profiles');
  const fileOf = (name: string) => join(directory, `${name}.json`);
  const defaultFile = join(folder, 'default-profile');
  const makeDirectory = () => mkdir(directory, { recursive: true, mode: 0o700 });

  return {
    async list() {
      const files = (await orNone(readdir(directory))) ?? [];
      return files
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.slice(0, -'.json'.length))
        .toSorted();
    },

    async read(name) {
      const file = fileOf(name);
      const handle = await orNone(open(file));
      if (handle === undefined) return undefined;
      try {
        const { mode, uid } = await handle.stat();
        checkAccess(file, name, { mode, uid });
        return parsed(await handle.readFile(), file, name);
      } finally {
        await handle.close();
      }
    },

    async write(name, profile) {
      await makeDirectory();
      await replaceFile(fileOf(name), `${JSON.stringify(profile, undefined, 2)}\n`);
    },

    async remove(name) {
      await orNone(unlink(fileOf(name)));
      if ((await this.defaultName()) === name) await orNone(unlink(defaultFile));
    },

    async defaultName() {
      const name = (await textOf(defaultFile))?.trim();
      return name !== undefined && namePattern.test(name) ? name : undefined;
    },

    async setDefault(name) {
      await makeDirectory();
      await replaceFile(defaultFile, `${name}\n`);
    },

    async locked(name, work) {
      await makeDirectory();
      const release = await lock(`${fileOf(name)}.lock`, name);
      try {
        return await work();
      } finally {
        await release();
      }
    },
  };
}

const namePattern = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** Reads the name of a profile, which is the name of a file too. @throws UsageError */
export function profileName(text: string): string {
  if (namePattern.test(text)) return text;
  throw new UsageError(
    `--profile: expected a name of letters, digits, dots, - and _, such as production, got ${shown(text, 80)}`,
  );
}

/** The usual name of a profile: that of its server. */
export function nameForServer(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  const text = `${host}${pathname}`.replaceAll(/[^\w.]+/g, '-').replaceAll(/^[-._]+|-+$/g, '');
  return text.slice(0, 100);
}

/** `XDG_CONFIG_HOME` on every system that sets it, or else where the system keeps such files. */
function configurationFolder(env: Io['env']): string {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: appData = '', HOME = homedir() } = env;
  const named = 'watchword';
  if (isAbsolute(xdg)) return join(xdg, named);
  if (process.platform === 'win32' && isAbsolute(appData)) return join(appData, named);
  if (process.platform === 'darwin') return join(HOME, 'Library', 'Application Support', named);
  return join(HOME, '.config', named);
}

/** Whoever has read the tokens can act as the user, so a file that others could read is not used any more. */
function checkAccess(file: string, name: string, { mode, uid }: { mode: number; uid: number }): void {
  if (process.platform === 'win32') return;
  const isOwn = uid === process.geteuid?.();
  if (isOwn && (mode & 0o077) === 0) return;
  const found = isOwn ? `mode ${(mode & 0o777).toString(8)}` : `owner ${uid}`;
  const advice = shellCommand('watchword login --profile {name}', { name });
  throw new UsageError(
    `${file}: expected a file that only you can read (mode 600), got ${found}. Other users could have read its tokens: end the login on the page "Your account" of the server, and log in again: ${advice}`,
  );
}

function parsed(bytes: Uint8Array, file: string, name: string): Profile {
  try {
    return v.parse(profileSchema, JSON.parse(utf8Text(bytes) ?? ''));
  } catch {
    // The error would quote the text, which has tokens.
    const advice = shellCommand('watchword login --profile {name}', { name });
    throw new UsageError(`${file}: expected a profile, got another text. Log in again: ${advice}`);
  }
}

/** Replaces the file in one step: after a crash it has the old text or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const made = `${file}.${randomUUID()}`;
  const handle = await open(made, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(made, file);
}

// Milliseconds. A request takes a minute at most, so an older lock is that of a process that ended.
const [longestLock, longestWait, pause] = [120_000, 130_000, 20];

/** @returns the end of the lock */
async function lock(file: string, name: string): Promise<() => Promise<void>> {
  const own = `${process.pid} ${randomUUID()}`;
  const deadline = performance.now() + longestWait;
  for (;;) {
    if (await makeLock(file, own)) break;
    await removeAbandoned(file);
    if (performance.now() > deadline) {
      throw new UsageError(
        `the profile ${name} is in use by another command. If none runs, remove ${file} and try again.`,
      );
    }
    await delay(pause);
  }
  return async () => {
    if ((await textOf(file)) === own) await orNone(unlink(file));
  };
}

/** With its text at once, so that no process ever reads an empty one. */
async function makeLock(file: string, text: string): Promise<boolean> {
  const made = `${file}.${randomUUID()}`;
  await replaceFile(made, text);
  try {
    await link(made, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(made);
  }
}

/** Removes a lock whose process has ended. Of several processes that see it, one moves it away. */
async function removeAbandoned(file: string): Promise<void> {
  const text = await textOf(file);
  const made = (await orNone(stat(file)))?.mtimeMs;
  if (text === undefined || made === undefined) return;
  if (isRunning(Number.parseInt(text, 10)) && Date.now() - made < longestLock) return;
  const moved = `${file}.${randomUUID()}`;
  await orNone(rename(file, moved));
  const taken = await textOf(moved);
  // Another process was faster, and this is its own lock.
  if (taken !== undefined && taken !== text) await link(moved, file).catch(() => {});
  await orNone(unlink(moved));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The text of a small file; `undefined` if it does not exist. */
async function textOf(file: string): Promise<string | undefined> {
  const bytes = await orNone(readFile(file));
  return bytes && utf8Text(bytes);
}

/** `undefined` if the file does not exist. */
async function orNone<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
