import { lines, type Snippet, secretLine } from './snippet.ts';

/** Lines that use a token, which is shown this once. */
export function tokenSnippets(token: string): readonly Snippet[] {
  return [
    {
      label: 'curl',
      lead: 'Calls an API with it. Put the address of the API in the place of "$API".',
      text: lines(...secretLine('TOKEN', token), 'curl -H "Authorization: Bearer $TOKEN" "$API"'),
    },
  ];
}
