// What the button does, without waiting for somebody to press it.
// A field may be called submit, and stand for the method of the form.
const forward = document.getElementById('forward');
if (forward instanceof HTMLFormElement) HTMLFormElement.prototype.submit.call(forward);
else if (forward instanceof HTMLAnchorElement) location.replace(forward.href);
