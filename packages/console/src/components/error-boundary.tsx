import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Stands in for what failed. */
  readonly fallback: (error: unknown, tryAgain: () => void) => ReactNode;
  readonly children: ReactNode;
}

interface State {
  readonly caught?: { readonly error: unknown } | undefined;
}

/** Without one, the whole page stays as it is when a part of it fails. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override readonly state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } };
  }

  override render(): ReactNode {
    const { caught } = this.state;
    if (caught === undefined) return this.props.children;
    return this.props.fallback(caught.error, () => this.setState({ caught: undefined }));
  }
}
