import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { type Problems, problemsOf, type Rules } from '../rules/problems.ts';
import { isStale, violationsOf } from './change-errors.ts';
import { draftWith, type ForeignChange, foreignChanges, rebased, type Stored } from './draft.ts';
import { saveDraft } from './save-draft.ts';
import { useDraft } from './use-draft.ts';
import { useFieldProblems } from './use-field-problems.ts';

export interface RecordFormOptions<Typed> {
  /** Names what is being typed, so that it survives a sign-in and a reload. */
  readonly draftKey: string;
  /** The stored record, or the initial values of a new one. */
  readonly stored: Stored<Typed>;
  /** What the fields are called. */
  readonly labels: Readonly<Record<FieldName<Typed>, string>>;
  readonly rules: Rules<Typed>;
  /** @param version the state that is to be replaced, and no other */
  readonly save: (typed: Typed, version: string | undefined) => Promise<unknown>;
  /** Reads what is stored now, after another user has changed it. */
  readonly reread?: () => Promise<Stored<Typed>>;
}

type FieldName<Typed> = Extract<keyof Typed, string>;

export interface RecordForm<Typed> {
  readonly values: Typed;
  readonly labels: Readonly<Record<FieldName<Typed>, string>>;
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  /** What was typed before this page was left. */
  readonly isRestored: boolean;
  /** What is wrong with a field, once the user has left it or tried to save. */
  problemsOf(name: FieldName<Typed>): readonly string[];
  /** What is wrong besides. */
  readonly others: readonly string[];
  /** Why it could not be saved, when that is not about fields; else `null`. */
  readonly error: unknown;
  /** What another user has saved since the typing began. As long as there is something, nothing is saved over it. */
  readonly foreign: readonly ForeignChange[];
  /** Whether both versions are shown next to each other. */
  readonly isComparing: boolean;
  compare(isComparing: boolean): void;
  /**
   * Continues with the current record. For fields that both sides have changed, `winner` names the side whose value is kept.
   */
  merge(winner: 'mine' | 'theirs'): void;
  set<Name extends FieldName<Typed>>(name: Name, value: Typed[Name]): void;
  change(values: Partial<Typed>): void;
  leave(name: FieldName<Typed>): void;
  submit(event?: FormEvent): void;
  discard(): void;
}

/** The state of a form with the fields of a record. */
export function useRecordForm<Typed extends object>(options: RecordFormOptions<Typed>): RecordForm<Typed> {
  const { draftKey, stored, labels, rules, save, reread } = options;
  const { draft, isRestored, keep, forget } = useDraft<Typed>(draftKey);
  const [isComparing, setComparing] = useState(false);
  const form = useRef<HTMLFormElement | null>(null);

  const values: Typed = { ...stored.typed, ...draft?.base, ...draft?.changes };
  const found: Problems = rules(values);
  const problems = useFieldProblems(found);

  const saving = useMutation({
    mutationFn: () => saveDraft({ values, draft, stored, save, reread }),
    onSuccess: beginAnew,
    onError(error) {
      problems.reject(serverProblems(error, stored.typed).byField);
      if (isStale(error)) setComparing(true);
      else goToFirstProblem(form.current);
    },
  });
  const { error, isPending: isBusy, reset } = saving;
  const foreign = draft === undefined || isBusy ? [] : foreignChanges(draft, stored);

  function beginAnew() {
    forget();
    problems.clear();
  }

  function change(changes: Partial<Typed>) {
    keep(draftWith(draft, stored, changes));
    problems.change(changes);
  }

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (event?.currentTarget instanceof HTMLFormElement) form.current = event.currentTarget;
    if (isBusy) return;
    problems.showAll();
    reset();
    if (foreign.length > 0) setComparing(true);
    else if (Object.keys(found).length > 0) goToFirstProblem(form.current);
    else saving.mutate();
  }

  return {
    values,
    labels,
    isDirty: draft !== undefined,
    isBusy,
    isRestored,
    problemsOf: problems.of,
    others: serverProblems(error, stored.typed).others,
    error: violationsOf(error).length > 0 || (isStale(error) && foreign.length > 0) ? null : error,
    foreign,
    isComparing: isComparing && foreign.length > 0,
    compare: setComparing,
    merge(winner) {
      if (draft !== undefined) keep(rebased(draft, stored, winner));
      setComparing(false);
      reset();
    },
    set: (name, value) => change({ [name]: value } as unknown as Partial<Typed>),
    change,
    leave: problems.leave,
    submit,
    discard() {
      beginAnew();
      reset();
    },
  };
}

function serverProblems(error: unknown, typed: object) {
  return problemsOf(violationsOf(error), Object.keys(typed));
}

/** After the problems are shown: the keyboard goes to the first field that has one. */
function goToFirstProblem(form: HTMLFormElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
