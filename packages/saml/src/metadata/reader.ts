import type { AlgorithmPolicy } from '../signature/signature-rules.ts';
import { ElementBuilder } from '../xml/element.ts';
import { md } from '../xml/namespaces.ts';
import { XmlFault } from '../xml/xml-fault.ts';
import { type OpenTag, XmlStream } from '../xml/xml-stream.ts';
import { DocumentSignature } from './document-signature.ts';
import { readEntity, type UnusableEntity, validUntilOf } from './entity.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { MetadataFault } from './metadata-fault.ts';

export interface ReadMetadata {
  readonly providers: readonly IdentityProvider[];
  readonly unusable: readonly UnusableEntity[];
  /** Epoch milliseconds, `Infinity` when the document sets no end. */
  readonly validUntil: number;
}

// There is no limit but that of bytes on how many entities there are.
const limits = {
  depth: 60,
  elements: Number.POSITIVE_INFINITY,
  attributes: 60,
  allAttributes: Number.POSITIVE_INFINITY,
  allowComments: true,
};

/**
 * Reads the metadata of one entity or of a federation, piece by piece; in memory are only what was found and the
 * entity at hand.
 *
 * @param signingCertificates PEM; with one or more, nothing counts unless one of them signed the document
 * @throws MetadataFault
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
    if (error instanceof XmlFault) throw new MetadataFault(`it cannot be read: ${error.message}`);
    if (isEncodingError(error)) throw new MetadataFault('it cannot be read: it is not UTF-8');
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
  /** Ends that the documents around set, innermost last. */
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
        throw new MetadataFault(
          'it is no SAML metadata: its root is no EntityDescriptor or EntitiesDescriptor',
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

/** Texts of their own, which do not keep alive the chunk that they were read from. */
function compact(provider: IdentityProvider): IdentityProvider {
  const { names, validUntil, ...texts } = provider;
  const copied = structuredClone(texts);
  return {
    ...copied,
    names: new Map([...names].map(([language, name]) => [structuredClone(language), structuredClone(name)])),
    validUntil,
  };
}
