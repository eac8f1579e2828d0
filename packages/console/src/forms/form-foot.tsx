import { Button } from '@mantine/core';
import { AdminError } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { Problem } from '../components/problem.tsx';
import type { RecordForm } from './use-record-form.ts';

interface FormFootProps<Fields> {
  readonly form: RecordForm<Fields>;
  /** What saving is called. */
  readonly action: string;
  readonly isNew?: boolean;
  /** What else saving brings about. */
  readonly note?: ReactNode;
  /** Reads the record anew, after somebody else has changed it. */
  readonly onReload?: () => void;
}

/** Saves the form, and says why that did not work. */
export function FormFoot<Fields>({ form, action, isNew = false, note, onReload }: FormFootProps<Fields>) {
  const { isDirty, isBusy, isRestored, others, error, discard } = form;
  const isStale = error instanceof AdminError && error.code === 'precondition_failed';
  return (
    <div className="form-foot" data-dirty={isDirty}>
      {others.length > 0 && (
        <ul className="problem" role="alert">
          {others.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {error !== undefined && <Problem error={error} />}
      {isStale && onReload !== undefined && (
        <Button
          variant="default"
          onClick={() => {
            discard();
            onReload();
          }}
        >
          Load what is there now
        </Button>
      )}
      {isDirty && note}
      <div className="form-actions">
        <Button type="submit" size="sm" loading={isBusy} disabled={!isNew && !isDirty}>
          {action}
        </Button>
        {isDirty && (
          <Button size="sm" variant="subtle" color="gray" onClick={discard}>
            Discard
          </Button>
        )}
        {isRestored && (
          <p className="quiet" role="status">
            What you had typed before is still here.
          </p>
        )}
      </div>
    </div>
  );
}
