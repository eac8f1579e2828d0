import { CopyButton } from './copy-button.tsx';

/** A short text that programs use, with a button to copy it. */
export function Code({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="code">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** Lines to paste somewhere. */
export function CodeBlock({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <figure className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is no group of fields */}
      <pre role="group" tabIndex={0} aria-label={what}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </figure>
  );
}
