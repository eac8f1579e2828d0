/** What the server puts around a text that the language of the page lacks. Values in it have isolates of their own. */
const inEnglish = /\u2066(?:\u2068[^\u2069]*\u2069|[^\u2069])*\u2069/g;

/** Gives each element whose own text is for the most part in English its language (WCAG 2.2, 3.1.2), from now on. */
export function markUntranslated(): void {
  const marked = new WeakSet<Element>();
  const mark = (element: Element | null) => {
    if (element === null) return;
    const own = [...element.childNodes].map((node) => (node.nodeType === 3 ? node.nodeValue : '')).join('');
    const isEnglish = own.replace(inEnglish, '').length * 2 < own.length;
    if (isEnglish) {
      marked.add(element);
      element.setAttribute('lang', 'en');
    } else if (marked.delete(element)) {
      element.removeAttribute('lang');
    }
  };
  const markAll = (node: Node) => {
    if (!(node instanceof Element)) return;
    mark(node);
    for (const each of node.querySelectorAll('*')) mark(each);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      mark(type === 'characterData' ? target.parentElement : (target as Element));
      for (const added of addedNodes) markAll(added);
    }
  }).observe(document.documentElement, { characterData: true, childList: true, subtree: true });
  markAll(document.documentElement);
}
