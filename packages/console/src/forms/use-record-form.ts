import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { type Problems, problemsOf, type Rules } from '../rules/problems.ts';
import { isStale, violationsOf } from './change-errors.ts';
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

/** The draft under the key, which survives a sign-in and a reload. */
function useDraft<Typed>(key: string) {
  const { drafts } = useEnvironment();
  const [draft, setDraft] = useState(() => {
    const kept = drafts.get(key);
    return isDraft(kept) ? (kept as Draft<Typed>) : undefined;
  });
  const [isRestored, setRestored] = useState(draft !== undefined);

  function keep(next: Draft<Typed> | undefined) {
    setDraft(next);
    if (next === undefined) drafts.forget(key);
    else drafts.set(key, next);
  }

  return {
    draft,
    isRestored: isRestored && draft !== undefined,
    keep,
    forget() {
      keep(undefined);
      setRestored(false);
    },
  };
}

const attempts = 3;

interface SaveDraftOptions<Typed> {
  readonly values: Typed;
  readonly draft: Draft<Typed> | undefined;
  readonly stored: Stored<Typed>;
  readonly save: (typed: Typed, version: string | undefined) => Promise<unknown>;
  readonly reread: (() => Promise<Stored<Typed>>) | undefined;
}

/**
 * Saves what was typed over the version of the record that the form shows. Where another user has changed only what
 * stands in no field of the form, it saves over that version too.
 */
async function saveDraft<Typed extends object>(options: SaveDraftOptions<Typed>): Promise<unknown> {
  const { values, draft, stored, save, reread } = options;
  let { version } = stored;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await save(values, version);
    } catch (error) {
      if (!isStale(error) || draft === undefined || reread === undefined || attempt === attempts) throw error;
      const now = await reread();
      if (foreignChanges(draft, now).length > 0) throw error;
      version = now.version;
    }
  }
}

/** The problems that are shown: of the fields that the user has left, and after an attempt to save those of all fields. */
function useFieldProblems(found: Problems) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const [rejected, setRejected] = useState<Problems>({});
  return {
    of: (name: string): readonly string[] => [
      ...(isTried || left.has(name) ? (found[name] ?? []) : []),
      ...(rejected[name] ?? []),
    ],
    leave: (name: string) => setLeft((before) => new Set(before).add(name)),
    showAll: () => setTried(true),
    /** Problems that the server has found. */
    reject: setRejected,
    /** A changed field is no longer the one that the server rejected. */
    change: (changes: object) =>
      setRejected((before) =>
        Object.fromEntries(Object.entries(before).filter(([name]) => !Object.hasOwn(changes, name))),
      ),
    clear() {
      setTried(false);
      setLeft(new Set());
      setRejected({});
    },
  };
}
