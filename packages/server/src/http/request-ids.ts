import { randomBytes } from 'node:crypto';
import { type HttpAnswer, withHeaders } from './answer.ts';

/** The header field with the id of a request, in every answer that is an error. */
export const requestIdHeader = 'x-request-id';

/** Makes ids that are unique across processes and cheap to make. */
export function requestIds(): () => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** Whether an answer tells of an error: by its status, or in a redirect that takes the error to a client. */
export function isError({ status = 200, error }: HttpAnswer): boolean {
  return status >= 400 || error !== undefined;
}

/** The same answer with the id of its request. */
export function traced(answer: HttpAnswer, requestId: string): HttpAnswer {
  return withHeaders(answer, { [requestIdHeader]: requestId });
}
