import { useMutation } from '@tanstack/react-query';
import type { ForeignSigningKey, SigningKey } from '@watchword/admin-client';
import { type FormEvent, useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Problem } from '../../components/problem.tsx';
import { useIsEarly } from '../../components/use-is-early.ts';
import { Button } from '../../controls/button.tsx';
import { SegmentedControl, Switch } from '../../controls/choices.tsx';
import { Select, Textarea, TextInput } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { problemsOf } from '../../rules/problems.ts';
import { t } from '../../texts/texts.ts';

const fields = ['privateKey', 'key', 'algorithm', 'kid'] as const;
const algorithms: readonly SigningKey['algorithm'][] = ['RS256', 'ES256', 'EdDSA', 'PS256'];

interface TypedKey {
  readonly key: string;
  /** `key` is its name in the key management system. */
  readonly isInKms: boolean;
  readonly algorithm: string;
  readonly kid: string;
  readonly now: boolean;
}

const nothing: TypedKey = { key: '', isInKms: false, algorithm: '', kid: '', now: false };

type ErrorOf = (...names: readonly (typeof fields)[number][]) => string | undefined;

/** Takes over a key that another program has made. The private half is only in the field and in the request. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [typed, setTyped] = useState(nothing);
  const set = (changes: Partial<TypedKey>) => setTyped((before) => ({ ...before, ...changes }));
  const adding = useMutation({
    mutationFn: () => admin.signingKeys.import(submitted(typed)),
    async onSuccess({ kid }) {
      notify(t('keys.import.done', { kid }));
      onClose();
      await refresh();
    },
    // The private key stays in no cache.
    gcTime: 0,
  });
  const { byField, others } = problemsOf(violationsOf(adding.error), fields);
  const errorOf: ErrorOf = (...names) => names.flatMap((name) => byField[name] ?? []).join(' ') || undefined;
  const isEarly = useIsEarly(adding.error);

  function add(event: FormEvent) {
    event.preventDefault();
    adding.mutate();
  }

  return (
    <Dialog title={t('keys.import')} onClose={onClose} isWide>
      <form className="stack" onSubmit={add} noValidate>
        <p className="quiet">{t('keys.import.lead')}</p>
        <KeyFields typed={typed} errorOf={errorOf} onChange={set} />
        {adding.error !== null && (others.length > 0 || Object.keys(byField).length === 0) && (
          <Problem error={adding.error} />
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={adding.isPending} disabled={isEarly || typed.key === ''}>
            {t('keys.import.action')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface KeyFieldsProps {
  readonly typed: TypedKey;
  readonly errorOf: ErrorOf;
  readonly onChange: (changes: Partial<TypedKey>) => void;
}

function KeyFields({ typed, errorOf, onChange: set }: KeyFieldsProps) {
  const { isInKms } = typed;
  return (
    <>
      <SegmentedControl
        aria-label={t('keys.private')}
        value={String(isInKms)}
        onChange={(value) => set({ isInKms: value === 'true' })}
        data={[
          { value: 'false', label: t('keys.import.private') },
          { value: 'true', label: t('keys.import.kms') },
        ]}
      />
      {isInKms ? (
        <TextInput
          label={t('keys.import.reference')}
          autoComplete="off"
          error={errorOf('key')}
          value={typed.key}
          onChange={({ currentTarget }) => set({ key: currentTarget.value })}
        />
      ) : (
        <Textarea
          isCode
          label={t('keys.import.private')}
          description={t('keys.import.privateAbout')}
          autoComplete="off"
          spellCheck="false"
          rows={6}
          error={errorOf('privateKey', 'key')}
          value={typed.key}
          onChange={({ currentTarget }) => set({ key: currentTarget.value })}
        />
      )}
      <Select
        label={t('keys.algorithm')}
        error={errorOf('algorithm')}
        value={typed.algorithm}
        onChange={({ currentTarget }) => set({ algorithm: currentTarget.value })}
        data={[
          { value: '', label: t('keys.import.asKey') },
          ...algorithms.map((each) => ({ value: each, label: each })),
        ]}
      />
      <TextInput
        label="kid"
        description={t('keys.import.kidAbout')}
        autoComplete="off"
        error={errorOf('kid')}
        value={typed.kid}
        onChange={({ currentTarget }) => set({ kid: currentTarget.value })}
      />
      <Switch
        label={t('keys.now')}
        description={t('keys.import.nowAbout')}
        checked={typed.now}
        onChange={({ currentTarget }) => set({ now: currentTarget.checked })}
      />
    </>
  );
}

function submitted({ key, isInKms, algorithm: wanted, kid, now }: TypedKey): ForeignSigningKey {
  const algorithm = algorithms.find((each) => each === wanted);
  return {
    ...(isInKms ? { kmsKey: key } : { privateKey: key }),
    ...(algorithm && { algorithm }),
    ...(kid !== '' && { kid }),
    now,
  };
}
