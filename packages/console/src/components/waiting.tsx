import { Loading } from './loading.tsx';
import { Problem } from './problem.tsx';

interface WaitingProps {
  /** Why it did not come. */
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly rows?: number;
}

/** In the place of what was asked of the server and is not there. */
export function Waiting({ error, refetch, rows }: WaitingProps) {
  return error === null ? <Loading {...(rows && { rows })} /> : <Problem error={error} onRetry={refetch} />;
}
