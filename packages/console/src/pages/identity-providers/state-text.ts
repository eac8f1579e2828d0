/** Whether the server is configured with an identity provider; `null` while this is unknown. */
export function stateText(configured: boolean | null): string {
  if (configured === null) return 'not sure';
  return configured ? 'configured' : 'no longer configured';
}
