import { OAuthError } from '@watchword/protocol';
import { requestErrorExplanation } from '../../admin/records/request-error.ts';
import type { Administration } from '../administration.ts';
import type { LocalRecords } from './records.ts';

export function localExplain({ caller, requestErrors }: LocalRecords): Administration['explain'] {
  return async (requestId) => {
    try {
      return requestErrorExplanation(await requestErrors.explain(caller, requestId));
    } catch (error) {
      if (error instanceof OAuthError && error.kind === 'not_found') throw notStored();
      throw error;
    }
  };
}

function notStored(): OAuthError {
  return new OAuthError('not_found', {
    description:
      'The database has no error of the last day with this request id. It stores those of requests in which the client was authenticated. A running server knows the others: --url <baseUrl>',
  });
}
