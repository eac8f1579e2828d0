import type { ImportedToken } from '@watchword/administration';
import type { JsonObject } from '@watchword/protocol';

/** What an export of another product becomes here. Nothing of it is stored yet, and no text of it has a secret but in the documents. */
export interface Translation {
  /** Documents of `watchword import`. */
  readonly resourceServers: readonly JsonObject[];
  /** Lines of `watchword import --accounts`. */
  readonly accounts: readonly JsonObject[];
  readonly tokens: readonly ImportedToken[];
  /** A note for each record of the export, in its order, also for those that do not come. */
  readonly notes: readonly Note[];
  /** What the operator has to do beside what single records need. */
  readonly mustDo: readonly string[];
}

/** What the report says of a record of the export. */
export interface Note {
  readonly kind: NoteKind;
  /** By which the old server knows it. */
  readonly oldId: string;
  /** Key, clientId or username here; `undefined` if the record does not come. */
  readonly name: string | undefined;
  /** What does not come, with the reason. */
  readonly leftOut: readonly string[];
  readonly mustDo: readonly string[];
}

export type NoteKind = 'resourceServer' | 'client' | 'account';

/** Collects what a note says while its record is translated. */
export class NoteTaker {
  readonly leftOut: string[] = [];
  readonly mustDo: string[] = [];

  of(kind: NoteKind, oldId: string, name: string | undefined): Note {
    return { kind, oldId, name, leftOut: this.leftOut, mustDo: this.mustDo };
  }
}

/** A record that does not come at all. */
export function leftOut(kind: NoteKind, oldId: string, reason: string): Note {
  return { kind, oldId, name: undefined, leftOut: [reason], mustDo: [] };
}
