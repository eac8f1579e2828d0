import { useMutation } from '@tanstack/react-query';
import { type AuditEvent, type AuditEventQuery, auditCsv, auditCsvHead } from '@watchword/admin-client';
import { type FormEvent, useEffect, useState } from 'react';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Problem } from '../../components/problem.tsx';
import { Button } from '../../controls/button.tsx';
import { SegmentedControl } from '../../controls/choices.tsx';
import { useEnvironment } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

/** So many events are some 30 MB, which a browser holds until they are saved. */
const most = 50_000;
const pageSize = 1000;

interface Format {
  readonly type: string;
  readonly head: string;
  readonly foot: string;
  /** @param isFirst whether no other events come before these */
  text(events: readonly AuditEvent[], isFirst: boolean): string;
}

const formats = {
  csv: { type: 'text/csv', head: auditCsvHead, foot: '', text: auditCsv },
  json: {
    type: 'application/json',
    head: '[',
    foot: '\n]\n',
    text: (events, isFirst) =>
      events.map((event, at) => `${isFirst && at === 0 ? '' : ','}\n${JSON.stringify(event)}`).join(''),
  },
} as const satisfies Record<string, Format>;

interface ExportDialogProps {
  readonly filter: AuditEventQuery;
  readonly onClose: () => void;
}

/** Saves the events of the filter as a file. They are read page by page, and each is text as soon as it is read. */
export function ExportDialog({ filter, onClose }: ExportDialogProps) {
  const { admin } = useEnvironment();
  const notify = useNotice();
  const [format, setFormat] = useState<keyof typeof formats>('csv');
  const [read, setRead] = useState(0);
  const [stop] = useState(() => new AbortController());
  useEffect(() => () => stop.abort(), [stop]);
  const saving = useMutation({
    async mutationFn() {
      const { head, foot, text, type }: Format = formats[format];
      const parts = [head];
      let count = 0;
      let cursor: string | undefined;
      do {
        const limit = Math.min(pageSize, most - count);
        const page = await admin.auditEvents.list({ ...filter, limit, cursor }, { signal: stop.signal });
        parts.push(text(page.items, count === 0));
        count += page.items.length;
        cursor = page.next;
        setRead(count);
      } while (cursor !== undefined && count < most);
      save(new Blob([...parts, foot], { type }), `audit-${new Date().toISOString().slice(0, 10)}.${format}`);
      return { count, isCut: cursor !== undefined };
    },
    onSuccess({ count, isCut }) {
      notify(t(isCut ? 'audit.export.cut' : 'audit.export.done', { count }));
      onClose();
    },
  });

  function start(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }

  return (
    <Dialog title={t('audit.export.title')} onClose={onClose}>
      <form className="stack" onSubmit={start}>
        <p>{t('audit.export.lead', { limit: most })}</p>
        <SegmentedControl
          aria-label={t('audit.export.format')}
          value={format}
          onChange={(value) => setFormat(value === 'json' ? 'json' : 'csv')}
          data={Object.keys(formats).map((name) => ({ value: name, label: name.toUpperCase() }))}
        />
        {saving.isPending && <p role="status">{t('audit.export.read', { count: read })}</p>}
        {saving.error !== null && <Problem error={saving.error} />}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t('audit.export')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: a browser can begin to read the file later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
