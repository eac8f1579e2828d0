import { type MalformedField, OAuthError } from '@watchword/protocol';

/** The submitted fields of a new record. */
export interface NewRecord<Fields> {
  /** A field that is left out has its default. */
  readonly fields: Partial<Fields>;
  /** Fields whose values are of another kind; `fields` lacks them. */
  readonly malformed?: readonly MalformedField[];
}

/** A change of a record that exists. */
export interface Edit<Fields> {
  /** Returns the fields that the change sets. A field that is left out does not change. */
  apply(current: Fields): Partial<Fields>;
  readonly malformed?: readonly MalformedField[];
  /** Absent: the change is made in any state of the record. */
  readonly condition?: EditCondition;
}

/** Whether the record can be changed in the state that `tag` names (RFC 9110 §13.1.1). */
export type EditCondition = (tag: string) => boolean;

/** @throws OAuthError `precondition_failed` */
export function checkCondition(condition: EditCondition | undefined, tag: string): void {
  if (condition !== undefined && !condition(tag)) throw new OAuthError('precondition_failed');
}

/** Names the state of a record by its revision. */
export function revisionTag({ revision }: { readonly revision: number }): string {
  return String(revision);
}
