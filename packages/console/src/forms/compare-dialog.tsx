import { useQuery } from '@tanstack/react-query';
import type { AuditedRecordType } from '@watchword/admin-client';
import { Dialog } from '../components/dialog.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { Button } from '../controls/button.tsx';
import { useEnvironment } from '../environment.ts';
import { valueText } from '../format/value.ts';
import { rich } from '../texts/rich.tsx';
import { t } from '../texts/texts.ts';
import type { RecordForm } from './use-record-form.ts';

export interface ComparedRecord {
  readonly recordType: AuditedRecordType;
  readonly id: number;
}

interface CompareDialogProps<Typed> {
  readonly form: RecordForm<Typed>;
  readonly record: ComparedRecord;
}

/** Shows the values that another user has saved next to the input here, so that nothing is overwritten unseen. */
export function CompareDialog<Typed>({ form, record }: CompareDialogProps<Typed>) {
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
