import { AdminError } from '@watchword/admin-client';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../controls/button.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { explain } from '../problem.tsx';

interface BulkDialogProps {
  readonly title: string;
  /** What happens to each. */
  readonly effect: ReactNode;
  /** Of the button that does it. */
  readonly action: string;
  /** It takes nothing away. */
  readonly isHarmless?: boolean;
  /** It cannot be undone, so that the number has to be typed first. */
  readonly isFinal?: boolean;
  readonly items: readonly { readonly name: string; run(): Promise<unknown> }[];
  /** Gets the indexes of the items with which it was not done. */
  readonly onClose: (left: readonly number[]) => void;
  /** Some of it was done. */
  readonly onDone: () => unknown;
}

/** `undefined` before its turn; `null` while it is done; else whether it is, or why not. */
type Outcome = undefined | null | 'done' | { readonly reason: string };

/** Asks once for all rows, does it one row after another, and tells what became of each. */
export function BulkDialog(props: BulkDialogProps) {
  const { title, effect, action, isHarmless = false, isFinal = false, items, onClose, onDone } = props;
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [state, setState] = useState<'asking' | 'running' | 'ended'>('asking');
  const [text, setText] = useState('');
  const stop = useRef(new AbortController());
  useEffect(() => {
    const { current } = stop;
    return () => current.abort();
  }, []);
  const number = String(items.length);
  const isReady = state === 'asking' && (!isFinal || text === number);
  const done = outcomes.filter((outcome) => outcome === 'done').length;

  async function run(event: FormEvent) {
    event.preventDefault();
    if (!isReady) return;
    setState('running');
    const { signal } = stop.current;
    for (const [index, item] of items.entries()) {
      if (signal.aborted) break;
      const tell = (outcome: Outcome) =>
        setOutcomes((before) => Array.from(items, (_, at) => (at === index ? outcome : before[at])));
      tell(null);
      tell(await outcomeOf(() => item.run(), signal));
    }
    setState('ended');
    void onDone();
  }

  const left = [...items.keys()].filter((index) => outcomes[index] !== 'done');
  // What failed stands first, once nothing moves any more.
  const order = state === 'ended' ? [...new Set([...left, ...items.keys()])] : [...items.keys()];
  const close = () => onClose(left);
  return (
    <Dialog title={title} onClose={close} isFirm={state === 'running'}>
      <form onSubmit={run}>
        {state === 'asking' ? (
          <div className="dialog-text">{effect}</div>
        ) : (
          <p role="status">
            {state === 'running'
              ? t('bulk.progress', { done, total: items.length })
              : t('bulk.result', { done, failed: left.length })}
          </p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
        <ul className="bulk-rows" tabIndex={0} aria-label={t('bulk.rows')}>
          {order.map((index) => (
            <li key={index}>
              <bdi>{items[index]?.name}</bdi>
              {state !== 'asking' && <OutcomeText outcome={outcomes[index]} isEnded={state === 'ended'} />}
            </li>
          ))}
        </ul>
        {state === 'asking' && isFinal && (
          <TextInput
            size="xs"
            label={rich('confirm.type', { typed: <code>{number}</code> })}
            autoComplete="off"
            inputMode="numeric"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        <div className="dialog-actions">
          {state === 'asking' && (
            <>
              <Button variant="default" onClick={close} data-autofocus={!isFinal || undefined}>
                {t('action.cancel')}
              </Button>
              <Button type="submit" {...(!isHarmless && { color: 'red' })} disabled={!isReady}>
                {action}
              </Button>
            </>
          )}
          {state === 'running' && (
            <Button variant="default" onClick={() => stop.current.abort()}>
              {t('bulk.stop')}
            </Button>
          )}
          {state === 'ended' && (
            <Button variant="default" onClick={close}>
              {t('action.close')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function OutcomeText({ outcome, isEnded }: { readonly outcome: Outcome; readonly isEnded: boolean }) {
  if (outcome === 'done') return <span className="done-text">{t('bulk.done')}</span>;
  if (outcome === null) return <span className="quiet">{t('bulk.running')}</span>;
  if (outcome !== undefined) return <span className="bulk-reason">{outcome.reason}</span>;
  return <span className="quiet">{t(isEnded ? 'bulk.stopped' : 'bulk.waiting')}</span>;
}

const attempts = 5;

/** Does it, and waits as long as the server asks for when there were too many changes in a minute. */
async function outcomeOf(run: () => Promise<unknown>, signal: AbortSignal): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run();
      return 'done';
    } catch (error) {
      const seconds = error instanceof AdminError && error.status === 429 ? (error.retryAfter ?? 0) : 0;
      if (seconds === 0 || attempt === attempts || signal.aborted) return { reason: explain(error) };
      await pause(seconds * 1000, signal);
      if (signal.aborted) return undefined;
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
