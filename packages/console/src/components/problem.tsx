import { Button } from '@mantine/core';
import { AdminError } from '@watchword/admin-client';
import { useEnvironment } from '../environment.ts';
import { duration } from '../format/time.ts';
import { currentRoute } from '../router/place.ts';
import { useIsEarly } from './use-is-early.ts';

interface ProblemProps {
  readonly error: unknown;
  readonly onRetry?: () => unknown;
}

/** Why something did not work, and what to do. */
export function Problem({ error, onRetry }: ProblemProps) {
  const { signIn } = useEnvironment();
  const lacksScope = error instanceof AdminError && error.code === 'insufficient_scope';
  const isEarly = useIsEarly(error);
  const requestId = error instanceof AdminError ? error.requestId : undefined;
  return (
    <div className="problem" role="alert">
      <p>
        {explain(error)}
        {error instanceof AdminError && waitText(error)}
      </p>
      {requestId !== undefined && (
        <p className="quiet">
          The server's log has the cause under <code>{requestId}</code>.
        </p>
      )}
      {lacksScope && (
        <Button onClick={() => signIn.inThisWindow(currentRoute(), { askAgain: true })}>Allow more</Button>
      )}
      {!lacksScope && onRetry !== undefined && (
        <Button variant="default" onClick={() => onRetry()} disabled={isEarly}>
          Try again
        </Button>
      )}
    </div>
  );
}

function waitText({ retryAfter = 0 }: AdminError): string {
  return retryAfter > 0 ? ` The server asks to wait for ${duration(retryAfter)}.` : '';
}

/** A sentence or two for the user. */
export function explain(error: unknown): string {
  if (!(error instanceof AdminError)) return 'Something went wrong in this page. Reload it to continue.';
  switch (error.code) {
    case 'unreachable':
      return 'The server cannot be reached. Check the network, and try again.';
    case 'not_found':
      return 'It is not there any more, or it is not yours to see.';
    case 'insufficient_scope':
      return 'When you signed in, you did not allow these pages to change anything.';
    case 'precondition_failed':
      return 'Another user has changed it in the meantime, so nothing was saved.';
    case 'temporarily_unavailable':
      return 'The server cannot do this right now. Nothing was changed; try again in a moment.';
    case 'too_many_requests':
      return 'There were too many requests in a short time, so nothing was done.';
    case 'server_error':
      return 'The server met an unexpected error.';
    default:
      return error.message;
  }
}
