/** Scopes, each for itself. */
export function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  if (scopes.length === 0) return <span className="quiet">none</span>;
  return (
    <ul className="scopes" aria-label="Scopes">
      {scopes.map((scope) => (
        <li key={scope} className="chip">
          {scope}
        </li>
      ))}
    </ul>
  );
}
