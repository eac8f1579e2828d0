// Submits the form without a click on the button. If cookies are switched off, it stops, because otherwise it would never end.
// The form can have a field with the name submit, which hides the method of the form.
const repeat = document.getElementById('repeat');
if (navigator.cookieEnabled) HTMLFormElement.prototype.submit.call(repeat);
