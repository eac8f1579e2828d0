import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { Versioned } from '@watchword/admin-client';
import type { FormEvent, ReactNode } from 'react';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { useIsEarly } from '../components/use-is-early.ts';
import { Waiting } from '../components/waiting.tsx';
import { Button } from '../controls/button.tsx';
import { t } from '../texts/texts.ts';
import { isStale, violationsOf } from './change-errors.ts';

interface RecordDialogProps<Item> {
  readonly title: string;
  readonly queryKey: QueryKey;
  readonly read: (options: { readonly signal: AbortSignal }) => Promise<Versioned<Item>>;
  /** How many rows of the form are waited for. */
  readonly rows: number;
  readonly onClose: () => void;
  /** The form. `onStale` reads the record again after another user has changed it. */
  readonly children: (found: Versioned<Item>, onStale: () => unknown) => ReactNode;
}

/** Changes one record of a list. The list can be old, so the current record is read before the change. */
export function RecordDialog<Item>(props: RecordDialogProps<Item>) {
  const { title, queryKey, read, rows, onClose, children } = props;
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read({ signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <Dialog onClose={onClose} title={title}>
      {data === undefined ? <Waiting error={error} refetch={refetch} rows={rows} /> : children(data, refetch)}
    </Dialog>
  );
}

interface RecordDialogFormProps {
  readonly change: { readonly error: Error | null; readonly isPending: boolean };
  readonly onSave: () => void;
  readonly onClose: () => void;
  readonly onStale: () => unknown;
  readonly children: ReactNode;
}

/** The fields, the error of the last change and the buttons. A record that another user changed has to be read first. */
export function RecordDialogForm({ change, onSave, onClose, onStale, children }: RecordDialogFormProps) {
  const { error, isPending } = change;
  const isEarly = useIsEarly(error);
  const mustRead = isStale(error);

  function save(event: FormEvent) {
    event.preventDefault();
    onSave();
  }

  return (
    <form className="stack" onSubmit={save} noValidate>
      {children}
      {error !== null && violationsOf(error).length === 0 && (
        <Problem error={error} {...(mustRead && { onRetry: onStale })} />
      )}
      <div className="dialog-actions">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={isPending} disabled={isEarly || mustRead}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}
