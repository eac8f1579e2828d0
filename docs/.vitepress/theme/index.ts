import Theme from 'vitepress/theme-without-fonts';
import './colours.css';
import './site.css';

export default Theme;
