import { AdminError } from '@watchword/admin-client';
import { Button } from '../controls/button.tsx';
import { useEnvironment } from '../environment.ts';
import { currentRoute } from '../router/place.ts';
import { rich } from '../texts/rich.tsx';
import { t } from '../texts/texts.ts';
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
        {waitText(error)}
      </p>
      {requestId !== undefined && (
        <p className="quiet">{rich('problem.log', { requestId: <code>{requestId}</code> })}</p>
      )}
      {lacksScope && (
        <Button onClick={() => signIn.inThisWindow(currentRoute(), { askAgain: true })}>
          {t('problem.allow')}
        </Button>
      )}
      {!lacksScope && onRetry !== undefined && (
        <Button variant="default" onClick={() => onRetry()} disabled={isEarly}>
          {t('action.retry')}
        </Button>
      )}
    </div>
  );
}

function waitText(error: unknown): string {
  const seconds = error instanceof AdminError ? (error.retryAfter ?? 0) : 0;
  return seconds > 0 ? ` ${t('problem.wait', { seconds })}` : '';
}

const explained = [
  'unreachable',
  'not_found',
  'insufficient_scope',
  'insufficient_user_authentication',
  'precondition_failed',
  'temporarily_unavailable',
  'too_many_requests',
  'server_error',
] as const;

/** A sentence or two for the user. What only the server knows comes from the server, in English. */
export function explain(error: unknown): string {
  if (!(error instanceof AdminError)) return t('problem.page');
  const code = explained.find((known) => known === error.code);
  return code === undefined ? error.message : t(`problem.${code}`);
}
