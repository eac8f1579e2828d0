import {
  type ChosenSecret,
  canBeGuessed,
  chosenSecret,
  isWeakSecret,
  lastingSecrets,
  type MachineSecret,
  type Passwords,
  secretMatches,
  slowHashes,
  strongSecretLength,
  Violations,
  withSlowHash,
} from '@watchword/protocol';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import type { ImportedResourceServer } from './imported-record.ts';

/** The secrets of an import: which ones it can have, and how they are stored and compared. */
interface ImportedSecrets {
  check(secret: string | undefined, violations: Violations): void;
  /** @param name of the record */
  stored(name: string, secret: string): Promise<ChosenSecret>;
  /** Whether an import can have it, and it is a secret of the record. @param rotation command for another secret */
  checkSame(
    secret: string,
    stored: MachineSecret | undefined,
    rotation: string,
    violations: Violations,
  ): Promise<void>;
  /** The form that must replace the stored one: an earlier release stored a secret that can be guessed by a fast hash. */
  strengthened(
    name: string,
    stored: MachineSecret | undefined,
    secret: string | undefined,
  ): Promise<MachineSecret | undefined>;
}

export interface ImportDependencies extends AdministrationDependencies {
  readonly secrets: ImportedSecrets;
}

/** The audited change of a record whose stored secret became a slow hash. */
export const weakSecretNoted = { action: 'update', before: {}, after: { weakSecret: true } } as const;

// RFC 6749 appendix A.2.
const secretPattern = /^[\x20-\x7e]{1,255}$/;

/** What is wrong with the characters of a secret that a file brings. */
export function characterProblem(secret: string): string | undefined {
  return secretPattern.test(secret) ? undefined : 'must be 1 to 255 ASCII characters';
}

type Stores = Pick<AdministrationDependencies, 'clients' | 'resourceServers' | 'clock'>;

/**
 * Computes slow hashes before the transaction of the import, because others wait for that.
 *
 * @param slowly hashes secrets that can be guessed; `undefined`: they are refused
 * @param makesSecrets whether a record can come without one
 */
export async function secretsForImport(
  stores: Stores,
  given: readonly ImportedResourceServer[],
  slowly: Passwords | undefined,
  makesSecrets: boolean,
): Promise<ImportedSecrets> {
  const secrets = importedSecrets(stores, slowly, makesSecrets);
  const prepare = async (name: string, secret: string | undefined, found: MachineSecret | undefined) => {
    if (secret === undefined || !canBeGuessed(secret)) return;
    if (isWeakSecret(found)) await secrets.checkSame(secret, found, '', new Violations());
    else await secrets.stored(name, secret);
  };
  if (slowly === undefined) return secrets;
  for (const { key, secret, clients } of given) {
    await prepare(key, secret, (await stores.resourceServers.find(key))?.secret);
    for (const client of clients) {
      const found = await stores.clients.find(client.clientId);
      await prepare(client.clientId, client.secret, found?.secret);
    }
  }
  return secrets;
}

function importedSecrets(
  { clock }: Stores,
  slowly: Passwords | undefined,
  makesSecrets: boolean,
): ImportedSecrets {
  const hashes = new Map<string, Promise<string>>();
  const comparisons = new Map<string, Promise<boolean>>();

  const stored = async (name: string, secret: string) => {
    if (!canBeGuessed(secret) || slowly === undefined) return chosenSecret(secret);
    return chosenSecret(secret, await once(hashes, [name, secret], () => slowly.hash(secret)));
  };

  const isSame = async (known: MachineSecret | undefined, secret: string) => {
    const now = clock.now();
    if (secretMatches(known, secret, now)) return true;
    if (slowly === undefined || !canBeGuessed(secret)) return false;
    for (const hash of slowHashes(known, now)) {
      if (await once(comparisons, [hash, secret], () => slowly.matches(secret, hash))) return true;
    }
    return false;
  };

  const problemOf = (secret: string) => {
    const problem = characterProblem(secret);
    return problem ?? (canBeGuessed(secret) && slowly === undefined ? refusal : undefined);
  };

  return {
    check(secret, violations) {
      const withoutOne = makesSecrets ? undefined : 'is required';
      const problem = secret === undefined ? withoutOne : problemOf(secret);
      if (problem !== undefined) violations.add('secret', problem);
    },

    async checkSame(secret, known, rotation, violations) {
      const problem = problemOf(secret);
      if (problem !== undefined) violations.add('secret', problem);
      else if (!(await isSame(known, secret)))
        violations.add('secret', `is another one here; rotate it with "${rotation}"`);
    },

    stored,

    async strengthened(name, known, secret) {
      if (known === undefined || secret === undefined || !canBeGuessed(secret)) return undefined;
      // A slow hash does not match here.
      if (!secretMatches(lastingSecrets(known), secret, clock.now())) return undefined;
      return withSlowHash(known, secret, (await stored(name, secret)).stored.hash);
    },
  };
}

const refusal = `has fewer than ${strongSecretLength} characters, so it can be guessed: replace it at its old server, or allow it with --allow-weak-secrets until you rotate it here`;

function once<Value>(
  results: Map<string, Promise<Value>>,
  question: readonly string[],
  compute: () => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify(question);
  const result = results.get(key) ?? compute();
  results.set(key, result);
  return result;
}
