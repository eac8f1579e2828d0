import type { MigrationReport, PendingMigration } from '@watchword/store-sql';

/** The schema of a database against this release, in words. */
export function whatWouldChange(
  database: string,
  { applied, pending, unknown }: Pick<MigrationReport, 'applied' | 'pending' | 'unknown'>,
): string[] {
  if (unknown.length > 0) {
    return [
      `${database} was migrated by a newer release: ${unknown.join(', ')}. This release can go on with it.`,
    ];
  }
  if (pending.length === 0) return [`${database} is up to date.`];
  const expanding = pending.filter(({ requires }) => requires === undefined);
  const contracting = pending.filter(({ requires }) => requires !== undefined);
  return [
    ...(expanding.length === 0 ? [] : [`${whenExpanded(database, applied)}:`, ...expanding.map(inWords)]),
    ...(contracting.length === 0 ? [] : [`${whenContracted(contracting)}:`, ...contracting.map(inWords)]),
  ];
}

function whenExpanded(database: string, applied: readonly string[]): string {
  const change = '"watchword migrate", or the start of a server, would change';
  return applied.length === 0
    ? `${database} is empty. ${change} it`
    : `Nodes of older releases can go on. ${change} ${database}`;
}

function whenContracted(contracting: readonly PendingMigration[]): string {
  const required = contracting
    .map(({ requires = '' }) => requires)
    .toSorted()
    .at(-1);
  return `Nodes that do not know ${required} can go on only until "watchword migrate --finish", which would apply`;
}

function inWords({ name, summary }: PendingMigration): string {
  return `  ${name} ${summary}`;
}
