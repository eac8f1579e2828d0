import type { LoginEvent, PrimaryServer } from '@watchword/store-sql';
import type { Logger } from './logger.ts';

/** Writes a line for what becomes of the role and password of the database. */
export function loginLog(logger: Logger): (event: LoginEvent) => void {
  return (event) => {
    const [level, text] = loginEvents[event];
    logger[level](text);
  };
}

const loginEvents: Readonly<Record<LoginEvent, readonly ['info' | 'warn', string]>> = {
  renewed: [
    'info',
    'the database has accepted the new role and password of databaseUrlFile; connections with the former ones end',
  ],
  unchanged: ['info', 'databaseUrlFile was read again: its role and password are those in use'],
  'no-file': [
    'warn',
    'nothing was read again: the URL of the database did not come from databaseUrlFile; restart the server to give it another one',
  ],
  refused: [
    'warn',
    'the database does not accept the role and password of its URL; open connections go on, and databaseUrlFile is read again at each attempt to connect',
  ],
  unreadable: [
    'warn',
    'databaseUrlFile has no URL of PostgreSQL that can be read, so the role and password stay; write a URL such as postgres://user:password@host/name',
  ],
  elsewhere: [
    'warn',
    'databaseUrlFile names other hosts or another database than at the start, so the role and password stay; restart the server to use it',
  ],
};

// Milliseconds between two looks at all hosts. A split brain that no node has seen costs what was written meanwhile.
const lookInterval = 10_000;

/** Writes a line for each change of the server that is written to, and looks for a second one until the returned function is called. */
export function watchPrimary(primary: PrimaryServer, logger: Logger): () => void {
  primary.watch((event) => {
    if (event.kind === 'stopped') logger.error({ problem: event.problem }, 'no PostgreSQL server is used');
    else if (event.kind === 'goes-on')
      logger.warn('one PostgreSQL server alone accepts writes again; the server goes on');
    else {
      const { from, to } = event;
      logger.warn(
        { from: from.host, to: to.host, fromTimeline: from.timeline, toTimeline: to.timeline },
        'another PostgreSQL server is the primary now',
      );
    }
  });
  const looking = setInterval(() => void primary.look(), lookInterval).unref();
  return () => clearInterval(looking);
}
