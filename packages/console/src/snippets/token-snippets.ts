import { t } from '../texts/texts.ts';
import { lines, type Snippet, secretLine } from './snippet.ts';

/** Lines that use a token, which is shown this once. */
export function tokenSnippets(token: string): readonly Snippet[] {
  return [
    {
      label: 'curl',
      lead: t('snippet.token'),
      text: lines(...secretLine('TOKEN', token), 'curl -H "Authorization: Bearer $TOKEN" "$API"'),
    },
  ];
}
