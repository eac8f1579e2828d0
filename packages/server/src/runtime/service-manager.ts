import type { Logger } from './log/logger.ts';

/** A service manager, such as systemd, that has asked to be told of the state of this process (sd_notify(3)). */
export interface ServiceManager {
  /** The server answers. From now on, the manager hears again and again that this process is alive, if it asked for that. */
  ready(status: string): void;
  /** The server ends. */
  stopping(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads from the environment whether a service manager waits for news. It does if the unit has `Type=notify`.
 *
 * Node.js has no datagram sockets of the file system, so the program of systemd sends each message. Each turn of the event loop
 * that sends one shows that the loop turns: a process that hangs sends none, and the manager ends it.
 *
 * @param logger hears once of a message that could not be sent
 */
export function serviceManager(environment: Environment, logger: Logger): ServiceManager {
  if (!environment.NOTIFY_SOCKET) return { ready() {}, stopping() {} };
  // The program needs none of the secrets that settings can have.
  const { NOTIFY_SOCKET, PATH } = environment;
  const env = { NOTIFY_SOCKET, PATH };
  let hasFailed = false;
  const send = async (...messages: readonly string[]) => {
    // Loaded only where there is a service manager.
    const { execFile } = await import('node:child_process');
    execFile(program, messages, { env, timeout: patience }, (error) => {
      if (error === null || hasFailed) return;
      hasFailed = true;
      logger.warn(
        { err: error },
        `systemd was not told "${messages.join(' ')}", and ends a server of which it hears nothing: ${program} failed; install it, or use Type=exec without WatchdogSec`,
      );
    });
  };
  let signs: NodeJS.Timeout | undefined;
  return {
    ready(status) {
      void send('READY=1', `STATUS=${status}`);
      const interval = watchdogInterval(environment);
      // Half of the time, as sd_watchdog_enabled(3) recommends.
      if (interval !== undefined) signs = setInterval(() => void send('WATCHDOG=1'), interval / 2).unref();
    },
    stopping() {
      clearInterval(signs);
      void send('STOPPING=1', 'STATUS=finishes the current requests');
    },
  };
}

const program = 'systemd-notify';

// Milliseconds. The program waits until the manager has read the message.
const patience = 5000;

/** Milliseconds within which the manager must hear of this process; `undefined` if it does not wait for that. */
function watchdogInterval({ WATCHDOG_USEC: time, WATCHDOG_PID: of }: Environment): number | undefined {
  // The variables of another program are not meant for this one. The parent is an older Node.js that has started this process in its place.
  const isMeant = of === undefined || [process.pid, process.ppid].includes(Number(of));
  const milliseconds = Number(time) / 1000;
  return isMeant && milliseconds > 0 && milliseconds < 2 ** 31 ? milliseconds : undefined;
}
