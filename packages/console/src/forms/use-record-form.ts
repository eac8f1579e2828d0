import { useMutation } from '@tanstack/react-query';
import { AdminError } from '@watchword/admin-client';
import { type FormEvent, useRef, useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { type Problems, problemsOf, type Rules } from '../rules/problems.ts';
import {
  type Draft,
  draftWith,
  type ForeignChange,
  foreignChanges,
  isDraft,
  rebased,
  type Stored,
} from './draft.ts';

export interface RecordFormOptions<Typed> {
  /** Names what is being typed, so that it survives a sign-in and a reload. */
  readonly draftKey: string;
  /** The record as it is stored, or as a new one begins. */
  readonly stored: Stored<Typed>;
  /** What the fields are called. */
  readonly labels: Readonly<Record<FieldName<Typed>, string>>;
  readonly rules: Rules<Typed>;
  /** @param version the state that is to be replaced, and no other */
  readonly save: (typed: Typed, version: string | undefined) => Promise<unknown>;
  /** Reads what is stored now, after another user has changed it. */
  readonly reread?: () => Promise<Stored<Typed>>;
}

const attempts = 3;

type FieldName<Typed> = Extract<keyof Typed, string>;

export interface RecordForm<Typed> {
  readonly values: Typed;
  readonly labels: Readonly<Record<FieldName<Typed>, string>>;
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  /** What was typed before this page was left. */
  readonly isRestored: boolean;
  /** What is wrong with a field, once somebody has left it or tried to save. */
  problemsOf(name: FieldName<Typed>): readonly string[];
  /** What is wrong besides. */
  readonly others: readonly string[];
  /** Why it could not be saved, when that is not about fields; else `null`. */
  readonly error: unknown;
  /** What another user has saved since the typing began. As long as there is something, nothing is saved over it. */
  readonly foreign: readonly ForeignChange[];
  /** Whether both are to be shown beside each other. */
  readonly isComparing: boolean;
  compare(isComparing: boolean): void;
  /** Goes on over what is stored now; of fields that both have changed, `winner` names the side whose value stands. */
  merge(winner: 'mine' | 'theirs'): void;
  set<Name extends FieldName<Typed>>(name: Name, value: Typed[Name]): void;
  change(values: Partial<Typed>): void;
  leave(name: FieldName<Typed>): void;
  submit(event?: FormEvent): void;
  discard(): void;
}

/** The state of a form whose fields are those of a record. */
export function useRecordForm<Typed extends object>(options: RecordFormOptions<Typed>): RecordForm<Typed> {
  const { draftKey, stored, labels, rules, save, reread } = options;
  const { drafts } = useEnvironment();
  const [draft, setDraft] = useState(() => {
    const kept = drafts.get(draftKey);
    return isDraft(kept) ? (kept as Draft<Typed>) : undefined;
  });
  const [isRestored, setRestored] = useState(draft !== undefined);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<Problems>({});
  const [isComparing, setComparing] = useState(false);
  const form = useRef<HTMLFormElement | null>(null);

  const values: Typed = { ...stored.typed, ...draft?.base, ...draft?.changes };
  const found: Problems = rules(values);

  const saving = useMutation({
    mutationFn: async () => {
      let { version } = stored;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await save(values, version);
        } catch (error) {
          if (!isStale(error) || draft === undefined || reread === undefined || attempt === attempts)
            throw error;
          const now = await reread();
          if (foreignChanges(draft, now).length > 0) throw error;
          // What was changed stands in no field of this form, so nothing is lost.
          version = now.version;
        }
      }
    },
    onSuccess: beginAnew,
    onError(error) {
      setRefused(violationsOf(error).byField);
      if (isStale(error)) setComparing(true);
      else goToFirstProblem(form.current);
    },
  });
  const { error, isPending: isBusy, reset } = saving;
  const foreign = draft === undefined || isBusy ? [] : foreignChanges(draft, stored);

  function keep(next: Draft<Typed> | undefined) {
    setDraft(next);
    if (next === undefined) drafts.forget(draftKey);
    else drafts.set(draftKey, next);
  }

  function beginAnew() {
    keep(undefined);
    setRestored(false);
    setTried(false);
    setLeft(new Set());
    setRefused({});
  }

  function change(changes: Partial<Typed>) {
    keep(draftWith(draft, stored, changes));
    setRefused((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !Object.hasOwn(changes, name))),
    );
  }

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (event?.currentTarget instanceof HTMLFormElement) form.current = event.currentTarget;
    if (isBusy) return;
    setTried(true);
    reset();
    if (foreign.length > 0) setComparing(true);
    else if (Object.keys(found).length > 0) goToFirstProblem(form.current);
    else saving.mutate();
  }

  function violationsOf(problem: unknown) {
    const violations = problem instanceof AdminError ? problem.violations : [];
    return problemsOf(violations, Object.keys(stored.typed));
  }

  return {
    values,
    labels,
    isDirty: draft !== undefined,
    isBusy,
    isRestored: isRestored && draft !== undefined,
    problemsOf: (name) => [
      ...(isTried || left.has(name) ? (found[name] ?? []) : []),
      ...(refused[name] ?? []),
    ],
    others: violationsOf(error).others,
    error: hasViolations(error) || (isStale(error) && foreign.length > 0) ? null : error,
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
    leave: (name) => setLeft((before) => new Set(before).add(name)),
    submit,
    discard() {
      beginAnew();
      reset();
    },
  };
}

function hasViolations(error: unknown): boolean {
  return error instanceof AdminError && error.violations.length > 0;
}

function isStale(error: unknown): boolean {
  return error instanceof AdminError && error.code === 'precondition_failed';
}

/** After the problems are shown: the keyboard goes to the first field that has one. */
function goToFirstProblem(form: HTMLFormElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
