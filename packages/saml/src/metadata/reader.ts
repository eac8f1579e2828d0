import type { AlgorithmPolicy } from '../signature/signature-rules.ts';
import { ElementBuilder } from '../xml/element.ts';
import { md } from '../xml/namespaces.ts';
import { XmlError } from '../xml/xml-error.ts';
import { type OpenTag, XmlStream } from '../xml/xml-stream.ts';
import { DocumentSignature } from './document-signature.ts';
import { readEntity, type UnusableEntity, validUntilOf } from './entity.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { MetadataError } from './metadata-error.ts';

export interface ReadMetadata {
  readonly providers: readonly IdentityProvider[];
  readonly unusable: readonly UnusableEntity[];
  /** Epoch milliseconds; `Infinity` when the document sets no expiry. */
  readonly validUntil: number;
}

// The number of entities is limited by the bytes of the document only.
const limits = {
  depth: 60,
  elements: Number.POSITIVE_INFINITY,
  attributes: 60,
  allAttributes: Number.POSITIVE_INFINITY,
  allowComments: true,
};

/**
 * Reads the metadata of one entity or of a federation as a stream. Memory holds the identity providers that were read, and
 * the entity that is being read.
 *
 * @param signingCertificates PEM; if there are any, the key of one of them must have signed the document
 * @throws MetadataError
 */
export async function readMetadata(
  chunks: AsyncIterable<Uint8Array>,
  signingCertificates: readonly string[],
  policy: AlgorithmPolicy,
): Promise<ReadMetadata> {
  const reader = new MetadataReader(signingCertificates.length > 0 ? policy : undefined);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) reader.write(decoder.decode(chunk, { stream: true }));
    reader.write(decoder.decode());
    return reader.end(signingCertificates);
  } catch (error) {
    if (error instanceof XmlError) throw new MetadataError(`it cannot be read: ${error.message}`);
    if (isEncodingError(error)) throw new MetadataError('it cannot be read: it is not UTF-8');
    throw error;
  }
}

function isEncodingError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

class MetadataReader {
  readonly #signature: DocumentSignature | undefined;
  readonly #stream: XmlStream;
  readonly #builder = new ElementBuilder();
  readonly #providers: IdentityProvider[] = [];
  readonly #unusable: UnusableEntity[] = [];
  /** Expiries of the enclosing groups, the innermost last. */
  readonly #ends: number[] = [];
  #depth = 0;
  #validUntil = Number.POSITIVE_INFINITY;

  constructor(policy: AlgorithmPolicy | undefined) {
    this.#signature = policy && new DocumentSignature(policy);
    this.#stream = new XmlStream(limits, {
      open: (tag) => {
        this.#signature?.open(tag);
        this.#open(tag);
      },
      text: (piece) => {
        this.#signature?.text(piece);
        this.#builder.text(piece);
      },
      close: (tag) => {
        this.#signature?.close(tag);
        this.#close();
      },
    });
  }

  write(text: string): void {
    if (text !== '') this.#stream.write(text);
  }

  end(signingCertificates: readonly string[]): ReadMetadata {
    this.#stream.end();
    this.#signature?.verify(signingCertificates);
    return { providers: this.#providers, unusable: this.#unusable, validUntil: this.#validUntil };
  }

  #open(tag: OpenTag): void {
    this.#depth += 1;
    const isEntity = tag.uri === md && tag.local === 'EntityDescriptor';
    const isGroup = tag.uri === md && tag.local === 'EntitiesDescriptor';
    if (this.#depth === 1) {
      if (!isEntity && !isGroup) {
        throw new MetadataError(
          'it is not SAML metadata: its root is not an EntityDescriptor or EntitiesDescriptor',
        );
      }
      this.#validUntil = this.#endOf(tag);
    }
    if (this.#builder.depth > 0) {
      this.#builder.open(tag);
    } else if (isEntity) {
      this.#builder.open(tag);
    } else if (isGroup && this.#ends.length === this.#depth - 1) {
      this.#ends.push(Math.min(this.#ends.at(-1) ?? Number.POSITIVE_INFINITY, this.#endOf(tag)));
    }
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#builder.depth > 0) {
      const element = this.#builder.close();
      if (this.#builder.depth > 0) return;
      const read = readEntity(element, this.#ends.at(-1) ?? Number.POSITIVE_INFINITY);
      if (read === undefined) return;
      if ('reason' in read) this.#unusable.push(read);
      else this.#providers.push(compact(read));
    } else if (this.#ends.length > this.#depth) {
      this.#ends.pop();
    }
  }

  #endOf({ attributes }: OpenTag): number {
    const { validUntil } = attributes;
    const end = validUntilOf({
      attributes: new Map(validUntil === undefined ? [] : [['validUntil', validUntil.value]]),
    });
    return end ?? Number.POSITIVE_INFINITY;
  }
}

/** A copy of each text. Without it, V8 keeps the whole chunk in memory from which the text was read. */
function compact(provider: IdentityProvider): IdentityProvider {
  const { names, validUntil, ...texts } = provider;
  const copied = structuredClone(texts);
  return {
    ...copied,
    names: new Map([...names].map(([language, name]) => [structuredClone(language), structuredClone(name)])),
    validUntil,
  };
}
