import { type PageVisits, startPageVisits } from './page-visits.ts';

/** A server whose users choose between three authenticators. */
export function startChoice(): Promise<PageVisits> {
  return startPageVisits({
    authenticators: JSON.stringify([
      'password',
      { module: 'form', as: 'surfconext', label: 'SURFconext: universities and research institutes' },
      { module: 'form', as: 'guests', label: 'Guests' },
    ]),
  });
}
