import type { AuthorizationAnswer } from '@watchword/protocol';

/** Why a page comes that the user does not expect. */
export type Told = Pick<AuthorizationAnswer, 'late' | 'again'>;

/** An answer that is a page, with what was typed if it comes again. */
export type Shown<Answer> = Answer & Told;

/** What a page says that comes again, because it had been open for too long when it was sent. */
export const lateMessage = { message: { key: 'page.late' }, isNeutral: true } as const;

/** That another user is logged in is more than that the page was late. */
export function restartMessage({ late, again }: Told) {
  if (again !== undefined && (late === undefined || again === 'otherUser'))
    return { message: { key: `again.${again}` }, isNeutral: true };
  return late === undefined ? undefined : lateMessage;
}
