import type { ReactNode } from 'react';
import { Problem } from '../components/problem.tsx';
import { useIsEarly } from '../components/use-is-early.ts';
import { Button, PlainButton } from '../controls/button.tsx';
import { t } from '../texts/texts.ts';
import { CompareDialog, type ComparedRecord } from './compare-dialog.tsx';
import type { RecordForm } from './use-record-form.ts';

interface FormFootProps<Typed> {
  readonly form: RecordForm<Typed>;
  /** What saving is called. */
  readonly action: string;
  /** The record that is changed; `undefined` for a new one. */
  readonly record?: ComparedRecord;
  /** What else saving brings about. */
  readonly note?: ReactNode;
}

/** Saves the form, and shows the reason if that failed. */
export function FormFoot<Typed>({ form, action, record, note }: FormFootProps<Typed>) {
  const { isDirty, isBusy, isRestored, isComparing, others, error, foreign, discard } = form;
  const isEarly = useIsEarly(error);
  return (
    <div className="form-foot" data-dirty={isDirty}>
      {others.length > 0 && (
        <ul className="problem" role="alert">
          {others.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {error !== null && <Problem error={error} />}
      {foreign.length > 0 && (
        <p className="warning" role="status">
          {t('form.changed')}{' '}
          <PlainButton className="text-button" onClick={() => form.compare(true)}>
            {t('form.seeWhat')}
          </PlainButton>
        </p>
      )}
      {isDirty && note}
      <div className="form-actions">
        <Button
          type="submit"
          size="sm"
          loading={isBusy}
          disabled={isEarly || (record !== undefined && !isDirty)}
        >
          {action}
        </Button>
        {isDirty && (
          <Button size="sm" variant="subtle" color="gray" onClick={discard}>
            {t('form.discard')}
          </Button>
        )}
        {isRestored && (
          <p className="quiet" role="status">
            {t('form.restored')}
          </p>
        )}
      </div>
      {isComparing && record !== undefined && <CompareDialog form={form} record={record} />}
    </div>
  );
}
