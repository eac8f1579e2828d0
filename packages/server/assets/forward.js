// Submits the form without a click on the button.
// The form can have a field with the name submit, which hides the method of the form.
const forward = document.getElementById('forward');
if (forward instanceof HTMLFormElement) HTMLFormElement.prototype.submit.call(forward);
else if (forward instanceof HTMLAnchorElement) location.replace(forward.href);
