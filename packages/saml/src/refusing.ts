import type { SamlDependencies } from './dependencies.ts';
import { answerTo, SamlRefusal } from './refusal.ts';

export interface Attempt {
  /** What is refused. */
  readonly of: 'login' | 'logout';
  readonly requestId: string;
  /** Entity id of the identity provider, as far as it is known. */
  provider?: string | undefined;
}

/** Turns a refusal into a line for the operator and a page for the person. */
export async function refusing<Value>(
  attempt: Attempt,
  { log }: Pick<SamlDependencies, 'log'>,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    const { of, requestId, provider } = attempt;
    log('warn', `a ${of} was refused`, {
      requestId,
      provider: provider?.slice(0, 300) ?? 'unknown',
      check: error.check,
      detail: error.message,
    });
    throw answerTo(error, of);
  }
}
