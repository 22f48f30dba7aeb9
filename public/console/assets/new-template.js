import{require_jsx_runtime as e,useMutation as t,useNavigate as n}from"./libraries.js";import{ErrorNotice as r,api as i}from"./error-notice.js";import{AsRequest as a}from"./as-request.js";import{PageHead as o}from"./page-head.js";import{bodyOf as s,refreshTemplates as c}from"./template-calls.js";var l=e(),u={markdown:`preheader: Your order {{number}} is on its way.

# Thank you, {{name}}

Your order **{{number}}** is on its way.

[See your order]({{url}}){button}

| Item | Price |
|---|---:|
{{#each items}}
| {{title}} | {{price}} |
{{/each}}
`,html:`<!doctype html>
<html lang="en">
  <head>
    <meta name="color-scheme" content="light dark">
    <style>
      body { font-family: sans-serif; margin: 24px; }
      @media (prefers-color-scheme: dark) {
        body { background: #17181a; color: #ececea; }
        a { color: #7fa9f7; }
      }
    </style>
  </head>
  <body>
    <h1>Thank you, {{name}}</h1>
    <p>Your order {{number}} is on its way. <a href="{{url}}">See your order</a></p>
  </body>
</html>
`},d=`Your order {{number}}`;function f(){let e=n(),{mutate:f,error:p,isPending:m}=t({mutationFn:({name:e,kind:t})=>{let n={subject:d,source:u[t]};return i.templates.create({name:e,kind:t,...s(t,n)})},onSuccess:async({id:t})=>{await c(),await e({to:`/templates/$templateId`,params:{templateId:t},replace:!0})}});return(0,l.jsxs)(l.Fragment,{children:[(0,l.jsx)(o,{title:`Add template`}),(0,l.jsxs)(`form`,{className:`panel padded`,"aria-label":`Add template`,onSubmit:e=>{e.preventDefault();let t=new FormData(e.currentTarget),n=t.get(`name`),r=t.get(`kind`)===`html`?`html`:`markdown`;typeof n==`string`&&f({name:n.trim(),kind:r})},children:[(0,l.jsxs)(`label`,{className:`field`,children:[`Name`,(0,l.jsx)(`input`,{name:`name`,required:!0,maxLength:200,placeholder:`Receipt`})]}),(0,l.jsxs)(`fieldset`,{children:[(0,l.jsx)(`legend`,{children:`Format`}),(0,l.jsxs)(`label`,{children:[(0,l.jsx)(`input`,{type:`radio`,name:`kind`,value:`markdown`,defaultChecked:!0}),` Markdown (converted to HTML)`]}),(0,l.jsxs)(`label`,{children:[(0,l.jsx)(`input`,{type:`radio`,name:`kind`,value:`html`}),` HTML`]})]}),(0,l.jsx)(`p`,{className:`muted`,children:`A plain-text version is generated automatically. Publish the template before you send with it.`}),p&&(0,l.jsx)(r,{error:p}),(0,l.jsx)(`div`,{className:`buttons`,children:(0,l.jsx)(`button`,{type:`submit`,className:`btn main`,disabled:m,children:`Add template`})})]}),(0,l.jsx)(a,{method:`POST`,path:`/v1/templates`,body:{name:`Receipt`,kind:`markdown`,subject:d,markdown:`# Thank you`}})]})}export{f as NewTemplate};