import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react';

interface Look {
  /** Default: `filled`. */
  readonly variant?: 'filled' | 'default' | 'outline' | 'subtle';
  /** `red`: it takes something away. */
  readonly color?: 'red' | 'gray';
  /** Default: `xs`. */
  readonly size?: 'xs' | 'sm' | 'compact-xs';
  readonly leftSection?: ReactNode;
  readonly rightSection?: ReactNode;
}

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof Look> {
  /** It does its work, and cannot be pressed. */
  readonly loading?: boolean;
}

export function Button({ loading = false, disabled, type = 'button', ...props }: ButtonProps) {
  const { look, contents, others } = parts(props);
  return (
    <button
      {...look}
      {...others}
      type={type}
      disabled={disabled === true || loading}
      data-loading={loading || undefined}
    >
      {contents}
    </button>
  );
}

type ButtonLinkProps = Look & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Look>;

/** A link that looks like a button. */
export function ButtonLink(props: ButtonLinkProps) {
  const { look, contents, others } = parts(props);
  return (
    <a {...look} {...others}>
      {contents}
    </a>
  );
}

function parts<
  Props extends Look & { readonly className?: string | undefined; readonly children?: ReactNode },
>({
  variant = 'filled',
  color,
  size = 'xs',
  leftSection,
  rightSection,
  className,
  children,
  ...others
}: Props) {
  return {
    look: {
      className: classOf('button', className),
      'data-variant': variant,
      'data-color': color,
      'data-size': size,
    },
    contents: (
      <>
        {leftSection}
        <span>{children}</span>
        {rightSection}
      </>
    ),
    others,
  };
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly size?: 'sm' | 'md' | 'lg';
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button that is an icon. It needs an `aria-label`. */
export function IconButton({ size = 'md', className, ...others }: IconButtonProps) {
  return <button type="button" {...others} className={classOf('icon-button', className)} data-size={size} />;
}

/** A link that is an icon. It needs an `aria-label`. */
export function IconLink({ className, ...others }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...others} className={classOf('icon-button', className)} data-size="md" />;
}

/** A button that looks like the text around it. */
export function PlainButton({ className, ...others }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...others} className={classOf('plain-button', className)} />;
}

function classOf(name: string, others: string | undefined): string {
  return others === undefined ? name : `${name} ${others}`;
}
