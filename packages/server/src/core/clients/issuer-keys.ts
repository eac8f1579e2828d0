import { X509Certificate } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createOutboundFetch, OutboundError } from '@watchword/outbound';
import {
  type Clock,
  type IssuerKeySets,
  type KeySet,
  maxKeySetBytes,
  readKeySet,
  secondsFresh,
} from '@watchword/protocol';
import { type AssertionIssuerSetting, filesOf } from '../../config/assertion-issuers.ts';
import type { Configuration } from '../../config/settings.ts';
import { ConfigurationError, type Problem } from '../../configuration-error.ts';
import { type FetchedKeySet, KnownKeySets } from '../../runtime/key-sets.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { SecretSourceError, secretInFile } from '../../secret-source.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { withTraces } from '../outbound.ts';
import { limits, longestFresh, typesOfKeySets } from './client-urls.ts';

type IssuerConfiguration = Pick<Configuration, 'clients.assertionIssuers'>;

interface Parts {
  readonly configuration: IssuerConfiguration;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly tracing: Tracing | undefined;
  /** Monotonic milliseconds. Default: those of the process. */
  readonly now?: () => number;
}

/** The keys of the issuers that the operator names. Why some cannot be read is said in the log, and not to record owners. */
export function issuerKeySetsOf({ configuration, clock, logger, tracing, now }: Parts): IssuerKeySets {
  const named = new Map(configuration['clients.assertionIssuers'].map((each) => [each.issuer, each]));
  return new KnownKeySets<string>({
    nameOf: (issuer) => issuer,
    ...(now && { now }),
    async fetch(issuer) {
      const setting = named.get(issuer);
      if (setting === undefined) return { problem: 'the setting does not name' };
      const read = await readIssuerKeys(setting, clock, tracing);
      if (!('problem' in read)) return read;
      logger.warn({ issuer, problem: read.problem }, 'cannot read the keys of an issuer');
      return { problem: 'cannot be read now' };
    },
  });
}

/** @throws ConfigurationError with every file that cannot be used */
export async function checkIssuerFiles(configuration: IssuerConfiguration): Promise<void> {
  const problems: Problem[] = [];
  for (const [index, setting] of configuration['clients.assertionIssuers'].entries()) {
    for (const [name, file] of filesOf(setting)) {
      const path = `clients.assertionIssuers[${index}].${name}`;
      const report = (error: unknown) => void problems.push({ path, place: file, problem: problemOf(error) });
      await readers[name](file).catch(report);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Seconds. A file is at hand, so that it is read again once a minute, and is not done without for as long as the server of a URL. */
const ofFile = { seconds: 60, usableSeconds: 3600 };

/** Reads the keys of an issuer. @returns a problem for the operator, a phrase that begins with the file or the URL */
export async function readIssuerKeys(
  setting: AssertionIssuerSetting,
  clock: Clock,
  tracing?: Tracing,
): Promise<FetchedKeySet> {
  const { jwksFile, jwksUri = '', caFile, tokenFile } = setting;
  try {
    if (jwksFile !== undefined) return { keySet: await at(jwksFile, readers.jwksFile), ...ofFile };
    // Read anew for each request: a token of Kubernetes expires, and its file has another one in time.
    const ca = caFile && (await at(caFile, readers.caFile));
    const token = tokenFile && (await at(tokenFile, readers.tokenFile));
    return await at(jwksUri, (url) => keysAt(new URL(url), { ca, token }, clock, tracing));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { problem: error.message };
  }
}

async function at<Value>(place: string, read: (place: string) => Promise<Value>): Promise<Value> {
  try {
    return await read(place);
  } catch (error) {
    throw new SourceError(`${place} ${problemOf(error)}`);
  }
}

/** What a server in the network of the operator is asked with. */
interface Means {
  /** PEM. */
  readonly ca: string | undefined;
  readonly token: string | undefined;
}

/** The token goes to this host alone, which the operator has named, wherever it is. No redirect is followed. */
async function keysAt(
  url: URL,
  { ca, token }: Means,
  clock: Clock,
  tracing: Tracing | undefined,
): Promise<FetchedKeySet> {
  const fetch = createOutboundFetch({
    allowPrivateAddresses: [url.host],
    ...(ca !== undefined && { certificateAuthorities: [ca] }),
  });
  const headers = {
    accept: typesOfKeySets,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const request = { ...limits, maxBytes: maxKeySetBytes, headers };
  using answer = await withTraces(fetch, tracing)(url, request);
  if (answer.status !== 200)
    throw new SourceError(`answers with status ${answer.status}; expected 200 and a JSON Web Key Set`);
  const seconds = Math.min(longestFresh, secondsFresh(answer.headers, clock.now()));
  return { keySet: keySetOf(await answer.json()), seconds };
}

/** Why keys cannot be read. The message has no part of what a file or an answer has. */
class SourceError extends Error {}

function problemOf(error: unknown): string {
  if (error instanceof SourceError) return error.message;
  if (error instanceof OutboundError) return `cannot be requested: ${error.message}`;
  const isOfFile = error instanceof SecretSourceError || (error instanceof Error && 'syscall' in error);
  if (!isOfFile) throw error;
  return `cannot be read: ${error.message}`;
}

const maxCertificateBytes = 1_000_000;

const readers = {
  async jwksFile(file: string): Promise<KeySet> {
    const text = await textOf(file, maxKeySetBytes);
    try {
      return keySetOf(JSON.parse(text));
    } catch (error) {
      if (error instanceof SyntaxError) throw new SourceError('is not JSON; expected a JSON Web Key Set');
      throw error;
    }
  },
  async caFile(file: string): Promise<string> {
    const text = await textOf(file, maxCertificateBytes);
    try {
      new X509Certificate(text);
      return text;
    } catch {
      throw new SourceError('has no certificate; expected those of the authority of jwksUri, as PEM');
    }
  },
  async tokenFile(file: string): Promise<string> {
    const token = (await secretInFile(file)).trim();
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw new SourceError('has no bearer token; expected visible ASCII characters on one line');
  },
};

function keySetOf(document: unknown): KeySet {
  const keys = readKeySet(document);
  if ('problem' in keys) throw new SourceError(keys.problem);
  return keys;
}

async function textOf(file: string, maxBytes: number): Promise<string> {
  const bytes = Buffer.concat(await createReadStream(file, { end: maxBytes }).toArray());
  if (bytes.length > maxBytes) throw new SourceError(`has more than ${maxBytes} bytes`);
  return bytes.toString();
}
