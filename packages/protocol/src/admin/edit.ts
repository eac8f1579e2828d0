import { OAuthError } from '../model/errors.ts';
import type { MalformedField } from '../rules/registration.ts';

/** What was submitted of a new record. */
export interface NewRecord<Fields> {
  readonly fields: Fields;
  /** Fields whose values were of another kind; of those `fields` has a stand-in. */
  readonly malformed?: readonly MalformedField[];
}

/** A change of a record that exists. */
export interface Edit<Fields> {
  /** Makes the fields as they are to be out of those that are stored. */
  apply(current: Fields): Fields;
  readonly malformed?: readonly MalformedField[];
  /** Absent: whatever the record has become meanwhile. */
  readonly condition?: EditCondition;
}

/** Whether a change may be made to the record in the state that `tag` names (RFC 9110 §13.1.1). */
export type EditCondition = (tag: string) => boolean;

/** @throws OAuthError `precondition_failed` */
export function checkCondition(condition: EditCondition | undefined, tag: string): void {
  if (condition !== undefined && !condition(tag)) throw new OAuthError('precondition_failed');
}

/** Names the state of a record that counts its changes. */
export function revisionTag({ revision }: { readonly revision: number }): string {
  return String(revision);
}
