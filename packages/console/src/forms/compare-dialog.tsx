import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AuditedRecordType } from '@watchword/admin-client';
import { Dialog } from '../components/dialog.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { useEnvironment } from '../environment.ts';
import { valueText } from '../format/value.ts';
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
    <Dialog title="Another user has changed it" onClose={() => form.compare(false)} isWide>
      <div className="dialog-text">
        <LastChange record={record} />
        <Changes form={form} />
        {contested === 0 ? (
          <p>You have changed other fields, so both changes can be kept. Your input is not saved yet.</p>
        ) : (
          <p>
            You have changed {contested === form.foreign.length ? 'the same' : 'some of these'} too: choose
            which values to keep. Your input is not saved yet.
          </p>
        )}
      </div>
      <div className="dialog-actions">
        <Button variant="default" onClick={() => form.compare(false)}>
          Decide later
        </Button>
        {contested === 0 ? (
          <Button onClick={() => form.merge('mine')} data-autofocus>
            Continue with both
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={() => form.merge('theirs')}>
              Take theirs
            </Button>
            <Button onClick={() => form.merge('mine')}>Keep mine</Button>
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
            <th scope="col">Field</th>
            <th scope="col">As you found it</th>
            <th scope="col">Theirs</th>
            <th scope="col">Yours</th>
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
                  <span className="quiet">not changed</span>
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
  if (event === undefined) return <p>This was saved after you had begun:</p>;
  return (
    <p>
      <strong>
        <bdi>{event.actor}</bdi>
      </strong>{' '}
      saved this <Timestamp time={event.time} />, after you had begun:
    </p>
  );
}
