/** The tables that a database with shards distributes by the column `shard`. */
export const distributedTables: ReadonlySet<string> = new Set([
  'access_token',
  'authorization_code',
  'authorization_grant',
  'consent',
  'login_attempt',
  'login_event',
  'login_session',
  'refresh_token',
  'revoked_token',
  'session_client',
]);

const lacking: readonly (readonly [RegExp, string])[] = [
  [/\bserializable\b/i, 'relies on SERIALIZABLE'],
  [/advisory/i, 'takes an advisory lock'],
  [/\btemp(?:orary)?\b/i, 'uses a temporary table'],
  [/\bskip\s+locked\b/i, 'relies on SKIP LOCKED'],
  [/\bforeign\s+key\b|\breferences\b/i, 'relies on a foreign key'],
];

/**
 * Why a statement of hot work does not fit a database with shards; empty if it does. It must bind each table that it reads or changes
 * to the one placement of its rows, by a parameter with their shards.
 */
export function placementFaults(sql: string): string[] {
  const faults = lacking.filter(([pattern]) => pattern.test(sql)).map(([, fault]) => fault);
  const text = sql.replaceAll(/\s+/g, ' ');
  const inserted = /^insert into (\w+) \((.*?)\) (values|select) \(?([^,)]*)/.exec(text);
  const tables = [
    ...text.matchAll(
      /\b(?:from|join|(?<!for |key |do )update|using|into) (?!unnest\b|lateral\b)(\w+)(?: as (\w+))?/g,
    ),
  ];
  const bindings = new Set<string>();
  for (const [, table = '', alias = table] of tables) {
    if (!distributedTables.has(table)) faults.push(`reads ${table}, which has no shards`);
    else if (inserted?.[1] === table && inserted[0].includes(`into ${table}`) && alias === table) {
      faults.push(...insertFaults(text, inserted));
    } else {
      const binding = new RegExp(`\\b${alias}\\.shard = (?:any\\()?(\\$\\d+)`).exec(text)?.[1];
      if (binding === undefined) faults.push(`does not bind ${alias} to its placement`);
      else bindings.add(binding);
    }
  }
  if (bindings.size > 1) faults.push('binds its tables by several parameters');
  const conflict = /on conflict \((.*?)\)/.exec(text)?.[1];
  if (conflict !== undefined && !conflict.split(', ').includes('shard')) {
    faults.push('relies on a unique key over all shards');
  }
  return faults;
}

function insertFaults(text: string, [, table, columns = '', from, first = '']: RegExpExecArray): string[] {
  if (!columns.startsWith('shard, ')) return [`inserts into ${table} without a shard`];
  if (from === 'values') return /\(select/.test(text) ? ['has a subquery in VALUES'] : [];
  // What Citus selects from no table of its own, it gathers first.
  return /^\w+\.shard$/.test(first) ? [] : ['inserts rows that are not read on the placement'];
}
