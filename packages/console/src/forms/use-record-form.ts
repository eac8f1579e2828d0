import { AdminError } from '@watchword/admin-client';
import { type FormEvent, useRef, useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { type Problems, problemsOf, type Rules } from '../rules/problems.ts';

export interface RecordFormOptions<Fields> {
  /** Names what is being typed, so that it survives a sign-in and a reload. */
  readonly draftKey: string;
  /** The record as it is stored, or as a new one begins. */
  readonly stored: Fields;
  readonly rules: Rules<Fields>;
  readonly save: (fields: Fields) => Promise<unknown>;
}

type FieldName<Fields> = Extract<keyof Fields, string>;

export interface RecordForm<Fields> {
  readonly values: Fields;
  /** Grows whenever the values begin anew, for controls that keep what is typed for themselves. */
  readonly generation: number;
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  /** What was typed before this page was left. */
  readonly isRestored: boolean;
  /** What is wrong with a field, once somebody has left it or tried to save. */
  problemsOf(name: FieldName<Fields>): readonly string[];
  /** What is wrong besides. */
  readonly others: readonly string[];
  /** Why it could not be saved, when that is not about fields. */
  readonly error: unknown;
  set<Name extends FieldName<Fields>>(name: Name, value: Fields[Name]): void;
  change(values: Partial<Fields>): void;
  leave(name: FieldName<Fields>): void;
  submit(event?: FormEvent): Promise<void>;
  discard(): void;
}

/** The state of a form whose fields are those of a record. */
export function useRecordForm<Fields extends object>(options: RecordFormOptions<Fields>): RecordForm<Fields> {
  const { draftKey, stored, rules, save } = options;
  const { drafts } = useEnvironment();
  const [draft, setDraft] = useState(() => drafts.get(draftKey) as Partial<Fields> | undefined);
  const [isRestored, setRestored] = useState(draft !== undefined);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<Problems>({});
  const [others, setOthers] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [generation, setGeneration] = useState(0);
  const form = useRef<HTMLFormElement | null>(null);

  const values: Fields = { ...stored, ...draft };
  const found: Problems = rules(values);
  const isDirty = draft !== undefined && JSON.stringify(values) !== JSON.stringify(stored);

  const keep = (next: Partial<Fields> | undefined) => {
    setDraft(next);
    if (next === undefined) drafts.forget(draftKey);
    else drafts.set(draftKey, next);
  };

  const change = (changes: Partial<Fields>) => {
    keep({ ...draft, ...changes });
    setRefused((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !Object.hasOwn(changes, name))),
    );
  };

  function beginAnew() {
    keep(undefined);
    setRestored(false);
    setTried(false);
    setLeft(new Set());
    setGeneration((before) => before + 1);
  }

  async function submit(event?: FormEvent) {
    event?.preventDefault();
    if (event?.currentTarget instanceof HTMLFormElement) form.current = event.currentTarget;
    if (isBusy) return;
    setTried(true);
    setError(undefined);
    setOthers([]);
    if (Object.keys(found).length > 0) return goToFirstProblem(form.current);
    setBusy(true);
    try {
      await save(values);
      beginAnew();
    } catch (problem) {
      if (problem instanceof AdminError && problem.violations.length > 0) {
        const told = problemsOf(problem.violations, Object.keys(stored));
        setRefused(told.byField);
        setOthers(told.others);
        goToFirstProblem(form.current);
      } else setError(problem);
    } finally {
      setBusy(false);
    }
  }

  return {
    values,
    generation,
    isDirty,
    isBusy,
    isRestored: isRestored && isDirty,
    problemsOf: (name) => [
      ...(isTried || left.has(name) ? (found[name] ?? []) : []),
      ...(refused[name] ?? []),
    ],
    others,
    error,
    set: (name, value) => change({ [name]: value } as unknown as Partial<Fields>),
    change,
    leave: (name) => setLeft((before) => new Set(before).add(name)),
    submit,
    discard() {
      beginAnew();
      setRefused({});
      setOthers([]);
      setError(undefined);
    },
  };
}

/** After the problems are shown: the keyboard goes to the first field that has one. */
function goToFirstProblem(form: HTMLFormElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
