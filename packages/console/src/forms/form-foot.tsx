import { useQuery } from '@tanstack/react-query';
import type { AuditedRecordType } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { useIsEarly } from '../components/use-is-early.ts';
import { Button, PlainButton } from '../controls/button.tsx';
import { useEnvironment } from '../environment.ts';
import { valueText } from '../format/value.ts';
import { rich } from '../texts/rich.tsx';
import { t } from '../texts/texts.ts';
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

interface ComparedRecord {
  readonly recordType: AuditedRecordType;
  readonly id: number;
}

interface CompareDialogProps<Typed> {
  readonly form: RecordForm<Typed>;
  readonly record: ComparedRecord;
}

/** Shows the values that another user has saved next to the input here, so that nothing is overwritten unseen. */
function CompareDialog<Typed>({ form, record }: CompareDialogProps<Typed>) {
  const contested = form.foreign.filter(({ isContested }) => isContested).length;
  return (
    <Dialog title={t('compare.title')} onClose={() => form.compare(false)} isWide>
      <div className="dialog-text">
        <LastChange record={record} />
        <Changes form={form} />
        {contested === 0 ? (
          <p>{t('compare.both')}</p>
        ) : (
          <p>{t(contested === form.foreign.length ? 'compare.same' : 'compare.some')}</p>
        )}
      </div>
      <div className="dialog-actions">
        <Button variant="default" onClick={() => form.compare(false)}>
          {t('compare.later')}
        </Button>
        {contested === 0 ? (
          <Button onClick={() => form.merge('mine')} data-autofocus>
            {t('compare.continue')}
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={() => form.merge('theirs')}>
              {t('compare.takeTheirs')}
            </Button>
            <Button onClick={() => form.merge('mine')}>{t('compare.keepMine')}</Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

function Changes<Typed>({ form }: { readonly form: RecordForm<Typed> }) {
  const labels: Readonly<Record<string, string>> = form.labels;
  return (
    <div className="compared">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('compare.field')}</th>
            <th scope="col">{t('compare.before')}</th>
            <th scope="col">{t('compare.theirs')}</th>
            <th scope="col">{t('compare.yours')}</th>
          </tr>
        </thead>
        <tbody>
          {form.foreign.map(({ name, before, theirs, isContested, mine }) => (
            <tr key={name}>
              <th scope="row">{labels[name] ?? name}</th>
              <td className="quiet">{valueText(before)}</td>
              <td>{valueText(theirs)}</td>
              <td>
                {isContested ? (
                  <strong>{valueText(mine)}</strong>
                ) : (
                  <span className="quiet">{t('compare.unchanged')}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The user who saved it, from the audit log. */
function LastChange({ record: { recordType, id } }: { readonly record: ComparedRecord }) {
  const { admin } = useEnvironment();
  const { data } = useQuery({
    queryKey: ['audit', 'last', recordType, id],
    queryFn: ({ signal }) =>
      admin.auditEvents.list({ recordType, recordId: String(id), limit: 1 }, { signal }),
    staleTime: 0,
  });
  const event = data?.items[0];
  if (event === undefined) return <p>{t('compare.saved')}</p>;
  return <p>{rich('compare.savedBy', { person: event.actor, time: <Timestamp time={event.time} /> })}</p>;
}
